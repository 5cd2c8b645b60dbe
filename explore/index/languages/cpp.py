"""C++, declared; it parses nothing by itself."""

from explore.index.languages.c import HANDED, MACROS, NOISE_OF_CPP, TYPES, VARIABLES
from explore.index.languages.declaration import Language
from explore.index.languages.preprocessor import flatten

_NAMES = (
    "(identifier) @name",
    "(field_identifier) @name",
    "(destructor_name) @name",
    "(operator_name) @name",
)
_CASTS = ('(operator_cast "operator" @name type: (_) @name)',)
_TYPES = ("(type_identifier) @name", "(template_type name: (type_identifier) @name)")


def _any(*patterns: str) -> str:
    """One of these; an alternation in another one would lose captures."""
    return "[" + "\n".join(patterns) + "]"


def _scoped(patterns: tuple[str, ...], depth: int) -> tuple[str, ...]:
    """Names as they are, and below up to so many classes or namespaces."""
    below = patterns
    for _ in range(depth):
        below = (f"(qualified_identifier scope: (_) @scope name: {_any(*below)})",)
        patterns += below
    return patterns


def _declarator(names: tuple[str, ...], casts: tuple[str, ...]) -> str:
    """A function's declarator, also where it returns pointers or a reference, or is a conversion."""
    function = f"(function_declarator declarator: {_any(*names)})"
    return _any(
        function,
        f"(_ {function})",
        f"(_ (_ {function}))",
        *casts,
    )


# A function whose head is a macro with its scope and its name: `TEST(suite, name) {`.
_TESTS = """
    ((function_definition !type declarator: (function_declarator
        declarator: (identifier) @_macro
        parameters: (parameter_list . (parameter_declaration !declarator type: (type_identifier) @scope)
            . (parameter_declaration !declarator type: (type_identifier) @name) .))) @definition.function
        (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
    ((function_definition !type declarator: (function_declarator
        declarator: (identifier) @_macro
        parameters: (parameter_list . (parameter_declaration !declarator type: (type_identifier) @name) .)))
        @definition.function (#match? @_macro "^[A-Z][A-Z0-9]*_[A-Z0-9_]+$"))
"""
_TYPE = _any(*_scoped(_TYPES, 2))

_FUNCTION_USED = "[(identifier) @reference.call (template_function name: (identifier) @reference.call)]"


def _used(kind: str) -> str:
    types = tuple(pattern.replace("@name", f"@reference.{kind}") for pattern in _TYPES)
    one = f"(qualified_identifier name: {_any(*types)})"
    return _any(*types, one, f"(qualified_identifier name: {one})")


CPP = Language(
    name="cpp",
    suffixes=(".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".tpp"),
    grammar=("tree_sitter_cpp", "language"),
    wrappers=frozenset({"declaration", "friend_declaration", "template_declaration", "type_definition"}),
    prepare=flatten,
    noise=NOISE_OF_CPP,
    handed=HANDED,
    query=f"""
    {_TESTS}
    (function_definition declarator: {_declarator(_scoped(_NAMES, 3), _scoped(_CASTS, 2))}) @definition.function
    (declaration declarator: {_declarator(_NAMES, _CASTS)}) @definition.declaration
    (field_declaration declarator: {_declarator(_NAMES, ())}) @definition.declaration
    {TYPES}
    (class_specifier name: {_TYPE} body: (_)) @definition.class
    (struct_specifier name: {_TYPE} body: (_)) @definition.struct
    (union_specifier name: {_TYPE} body: (_)) @definition.struct
    (enum_specifier name: {_TYPE} body: (_)) @definition.enum
    (concept_definition name: (identifier) @name) @definition.type
    (alias_declaration name: (type_identifier) @name) @definition.type
    {VARIABLES}
    {MACROS}
    (call_expression function: (template_function name: (identifier) @reference.call))
    (call_expression function: (field_expression field: (template_method
        name: (field_identifier) @reference.call)))
    (call_expression function: (qualified_identifier name: {_FUNCTION_USED}))
    (call_expression function: (qualified_identifier name: (qualified_identifier name: {_FUNCTION_USED})))
    (new_expression type: {_used("call")})
    (base_class_clause {_used("inherits")})
    (parameter_declaration type: (_) @type declarator: [
        (identifier) @variable
        (reference_declarator (identifier) @variable)
        (pointer_declarator declarator: (identifier) @variable)])
    (field_declaration type: (_) @type declarator: [
        (field_identifier) @field
        (pointer_declarator declarator: (field_identifier) @field)])
    (declaration type: (_) @type declarator: [
        (identifier) @variable
        (init_declarator declarator: (identifier) @variable)
        (init_declarator declarator: (pointer_declarator declarator: (identifier) @variable))
        (init_declarator declarator: (reference_declarator (identifier) @variable))])
    """,
)
