"""Rust, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

# The type whose `impl` it is, without references, paths and type arguments.
_TYPE = """[
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
    (dynamic_type trait: (type_identifier) @name)
    (array_type) @name
    (tuple_type) @name
    (unit_type) @name
    (pointer_type) @name
    (function_type) @name
    (macro_invocation) @name
    (never_type) @name
]"""

_TRAIT = """[
    (type_identifier) @reference.inherits
    (scoped_type_identifier name: (type_identifier) @reference.inherits)
    (generic_type type: (type_identifier) @reference.inherits)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @reference.inherits))
]"""

_CALLED = """[
    (identifier) @reference.call
    (scoped_identifier name: (identifier) @reference.call)
    (field_expression field: (field_identifier) @reference.call)
]"""

# What stands in a `use` list, with the rest of its path, and alone.
_LISTED = "[(identifier) @name (use_as_clause path: (identifier) @name)]"
_BELOW = """[
    (scoped_identifier path: (_) @module name: (identifier) @name)
    (use_as_clause path: (scoped_identifier path: (_) @module name: (identifier) @name))
    (use_wildcard (_) @module)
]"""
_ALONE = (_BELOW, "(identifier) @module", "(use_as_clause path: (identifier) @module)", f"(use_list {_BELOW})")


def _lists(depth: int) -> tuple[str, ...]:
    """`use` lists nested this deep; each level adds its part of the path."""
    if depth == 0:
        return tuple(f"(use_list {used})" for used in (_LISTED, _BELOW, "(self)", "(use_as_clause path: (self))"))
    return tuple(f"(use_list (scoped_use_list path: (_) @module list: {inner}))" for inner in _lists(depth - 1))


_USED = (
    *_ALONE,
    *(f"(scoped_use_list path: (_) @module list: {used})" for depth in range(2) for used in _lists(depth)),
)
_USES = "\n".join(f"(use_declaration argument: {used}) @import" for used in _USED)

_HANDED = """
    (arguments [(identifier) (scoped_identifier)] @reference.pass)
    (field_initializer value: [(identifier) (scoped_identifier)] @reference.pass)
"""

RUST = Language(
    name="rust",
    suffixes=(".rs",),
    grammar=("tree_sitter_rust", "language"),
    leading=frozenset({"attribute_item", "block_comment", "line_comment"}),
    handed=_HANDED,
    query=f"""
    (function_item name: (identifier) @name) @definition.function
    (function_signature_item name: (identifier) @name) @definition.function
    (struct_item name: (type_identifier) @name) @definition.struct
    (union_item name: (type_identifier) @name) @definition.struct
    (enum_item name: (type_identifier) @name) @definition.enum
    (trait_item name: (type_identifier) @name) @definition.trait
    (macro_definition name: (identifier) @name) @definition.macro
    (mod_item name: (identifier) @name body: (_)) @definition.module
    (impl_item type: {_TYPE}) @definition.scope
    (impl_item type: (reference_type type: {_TYPE})) @definition.scope
    (source_file (type_item name: (type_identifier) @name) @definition.type)
    (mod_item body: (declaration_list (type_item name: (type_identifier) @name) @definition.type))
    (source_file (const_item name: (identifier) @name) @definition.constant)
    (source_file (static_item name: (identifier) @name) @definition.variable)
    (declaration_list (const_item name: (identifier) @name) @definition.constant)
    (declaration_list (static_item name: (identifier) @name) @definition.variable)

    (call_expression function: {_CALLED})
    (call_expression function: (generic_function function: {_CALLED}))
    (macro_invocation macro: [
        (identifier) @reference.call
        (scoped_identifier name: (identifier) @reference.call)])
    (struct_expression name: [
        (type_identifier) @reference.call
        (scoped_type_identifier name: (type_identifier) @reference.call)
        (generic_type_with_turbofish type: (type_identifier) @reference.call)])
    ((token_tree (identifier) @reference.call . (token_tree) @_arguments) (#match? @_arguments "^[(]"))
    (parameter pattern: (identifier) @variable type: (_) @type)
    (field_declaration name: (field_identifier) @field type: (_) @type)
    (let_declaration pattern: (identifier) @variable type: (_) @type)
    (let_declaration pattern: (identifier) @variable value: (struct_expression name: (_) @type))
    (let_declaration pattern: (identifier) @variable
        value: (call_expression function: [(identifier) (scoped_identifier)] @type))
    (impl_item trait: {_TRAIT} type: (_) @heir)
    (trait_item bounds: (trait_bounds {_TRAIT}))

    {_USES}
    (extern_crate_declaration name: (identifier) @module) @import
    (mod_item name: (identifier) @module !body) @import
    """,
)
