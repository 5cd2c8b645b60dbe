"""What the index needs to know of a language: suffixes, grammar and queries; it holds no parser state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """A language, declared.

    `grammar` is the wheel's module and the function in it that gives the grammar. `query` is tree-sitter query text
    with these captures:

    - `@definition.KIND` (a value of `model.source.Kind`) with `@name` (its parts, where it has several), and where the
      name of what the symbol belongs to is not that of a node around it (a Go receiver, `Foo::bar` in C++) `@scope`;
    - `@definition.scope` with `@name`: only lends its name to what is inside (a Rust `impl`, a namespace);
    - `@definition.declaration` with `@name`: a function declared without a body; inside of a function it is none;
    - `@definition.value` with `@name`: a function that is the value of something; of few lines it is none;
    - `@reference.call` and `@reference.inherits` on the name used; with `@heir` the type that inherits, where that is
      no symbol around it;
    - `@reference.decorate` on the name of a decorator; `@reference.pass` on a name or a chain of names handed on;
    - `@variable` or, where all of its class or more can see it, `@field`, with its `@type` or with what it is the
      `@same` as, one of `@each`, or one of the `@key`s;
    - `@import` on an import, with `@module` (as written; its parts, where it has several), and `@name` for each name
      taken from it. Where the name ends the module's node, the module is what stands before it.

    `handed` is query text of its own for what only call paths need, and tests not at all: `@reference.pass`, and
    `@reference.named` on a text that names a function, `@reference.bare` on a name that is called unless it is a
    variable's.

    Of patterns that make a symbol of the same node the first counts; what is declared inside of a function (fields,
    constants, variables, declarations) is its own affair and no symbol.

    `wrappers` are nodes that belong to the symbol which they wrap (an `export`, a decorated definition), `leading`
    those which belong to the symbol that follows them (comments, attributes). `prepare` may blank parts of
    the text before it is parsed, as long as all lines keep their numbers; `noise` are regular expressions (line by
    line) whose first group the grammar cannot read and the index can do without: it is parsed as blanks, or if
    it is named `end`, as the end of a statement. `by_name`: a file's names are its own, or imported by name.
    """

    name: str
    suffixes: tuple[str, ...]
    grammar: tuple[str, str]
    query: str
    handed: str = ""
    wrappers: frozenset[str] = frozenset()
    leading: frozenset[str] = frozenset({"comment"})
    prepare: Callable[[str], str] | None = None
    noise: tuple[str, ...] = ()
    by_name: bool = False
