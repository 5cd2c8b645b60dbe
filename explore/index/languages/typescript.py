"""TypeScript and TSX, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language
from explore.index.languages.javascript import FUNCTIONS, HANDED, JSX_CALLS, SHARED, WRAPPERS

_WRAPPERS = WRAPPERS | {"ambient_declaration"}

# Call signatures in an interface, where the one before has no semicolon.
_NOISE = (
    (
        r"\n(?:(?<=[\w)\]}'\"]\n)|(?<=[^=]>\n))(?:[ \t]*(?:(?:/?\*|//).*)?\n){0,60}[ \t]*(?P<end>[ \t])"
        r"<(?=\s*[A-Za-z]\w*\s*(?:extends\b|[,>=]))"
    ),
)

_LEADING = frozenset({"comment", "decorator"})

_INHERITED = """[
    (type_identifier) @reference.inherits
    (nested_type_identifier name: (type_identifier) @reference.inherits)
    (generic_type name: (type_identifier) @reference.inherits)
    (generic_type name: (nested_type_identifier name: (type_identifier) @reference.inherits))
]"""

_QUERY = (
    SHARED
    + f"""
    (class_declaration name: (type_identifier) @name) @definition.class
    (abstract_class_declaration name: (type_identifier) @name) @definition.class
    (interface_declaration name: (type_identifier) @name) @definition.interface
    (type_alias_declaration name: (type_identifier) @name) @definition.type
    (enum_declaration name: (identifier) @name) @definition.enum
    (internal_module name: (_) @name) @definition.module
    (module name: (_) @name) @definition.module
    (function_signature name: (identifier) @name) @definition.function
    (abstract_method_signature name: (_) @name) @definition.method
    (class_body (method_signature name: (_) @name) @definition.method)
    (public_field_definition name: (_) @name value: {FUNCTIONS}) @definition.method
    (public_field_definition name: (_) @name) @definition.field
    (program (ambient_declaration (lexical_declaration (variable_declarator
        name: (identifier) @name) @definition.constant)))
    (internal_module body: (statement_block (export_statement declaration: (lexical_declaration (variable_declarator
        name: (identifier) @name) @definition.constant))))
    (required_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation (_) @type))
    (required_parameter pattern: (identifier) @variable type: (type_annotation (_) @type))
    (optional_parameter pattern: (identifier) @variable type: (type_annotation (_) @type))
    (variable_declarator name: (identifier) @variable type: (type_annotation (_) @type))
    (variable_declarator name: (identifier) @variable
        value: (call_expression function: [(identifier) (member_expression)] @type))
    (public_field_definition name: (_) @field type: (type_annotation (_) @type))
    (public_field_definition name: (_) @field value: (new_expression constructor: (_) @type))
    (interface_body (property_signature name: (_) @field type: (type_annotation (_) @type)))
    (class_heritage (extends_clause value: (identifier) @reference.inherits))
    (class_heritage (extends_clause value: (member_expression property: (property_identifier) @reference.inherits)))
    (class_heritage (implements_clause {_INHERITED}))
    (interface_declaration (extends_type_clause type: {_INHERITED}))
    (import_statement (import_require_clause source: (string (string_fragment) @module))) @import
    """
)

TYPESCRIPT = Language(
    name="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    by_name=True,
    grammar=("tree_sitter_typescript", "language_typescript"),
    noise=_NOISE,
    wrappers=_WRAPPERS,
    leading=_LEADING,
    handed=HANDED,
    query=_QUERY,
)

TSX = Language(
    name="tsx",
    suffixes=(".tsx",),
    by_name=True,
    grammar=("tree_sitter_typescript", "language_tsx"),
    wrappers=_WRAPPERS,
    leading=_LEADING,
    handed=HANDED,
    query=_QUERY + JSX_CALLS,
)
