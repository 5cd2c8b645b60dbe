"""PHP, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

_NAMED = """[
    (name) @reference.{kind}
    (qualified_name (name) @reference.{kind} .)
]"""
_INHERITED = _NAMED.format(kind="inherits")

_HANDED = """
    ((string (string_content) @reference.named) (#match? @reference.named "::[a-z]"))
    (array_creation_expression . (array_element_initializer . (variable_name) .)
        . (array_element_initializer . (string (string_content) @reference.member) .) .)
"""

PHP = Language(
    name="php",
    suffixes=(".php",),
    grammar=("tree_sitter_php", "language_php"),
    handed=_HANDED,
    wrappers=frozenset({"const_declaration", "property_declaration"}),
    query=f"""
    (function_definition name: (name) @name) @definition.function
    (class_declaration name: (name) @name) @definition.class
    (interface_declaration name: (name) @name) @definition.interface
    (trait_declaration name: (name) @name) @definition.trait
    (enum_declaration name: (name) @name) @definition.enum
    (method_declaration name: (name) @name) @definition.method
    (const_declaration (const_element . (name) @name) @definition.constant)
    (property_declaration (property_element name: (variable_name (name) @name)) @definition.field)
    (enum_case name: (name) @name) @definition.constant
    (program (expression_statement (assignment_expression
        left: (variable_name (name) @name) right: (anonymous_function)) @definition.function))

    (function_call_expression function: {_NAMED.format(kind="call")})
    (member_call_expression name: (name) @reference.call)
    (nullsafe_member_call_expression name: (name) @reference.call)
    (scoped_call_expression name: (name) @reference.call)
    ((object_creation_expression {_NAMED.format(kind="call")})
        (#not-match? @reference.call "^(self|static|parent)$"))
    (function_call_expression function: (parenthesized_expression
        (member_access_expression name: (name) @reference.call)))
    (assignment_expression left: [(variable_name) (member_access_expression)] @variable
        right: (member_access_expression) @same)
    (simple_parameter type: (_) @type name: (variable_name (name) @variable))
    (property_promotion_parameter type: (_) @type name: (variable_name (name) @field))
    (property_declaration type: (_) @type (property_element name: (variable_name (name) @field)))
    (assignment_expression left: [(variable_name) (member_access_expression)] @variable
        right: (object_creation_expression (name) @type))
    (assignment_expression left: (member_access_expression) @variable right: (variable_name) @same)
    (base_clause {_INHERITED})
    (class_interface_clause {_INHERITED})
    (declaration_list (use_declaration {_INHERITED}))

    (namespace_use_declaration (namespace_use_clause (qualified_name prefix: (_) @module (name) @name))) @import
    (namespace_use_declaration (namespace_use_clause . (name) @module)) @import
    (namespace_use_declaration (namespace_name) @module
        body: (namespace_use_group (namespace_use_clause . (name) @name))) @import
    (namespace_use_declaration (namespace_name) @module
        body: (namespace_use_group (namespace_use_clause (qualified_name (name) @name)))) @import
    (require_expression (string (string_content) @module)) @import
    (require_once_expression (string (string_content) @module)) @import
    (include_expression (string (string_content) @module)) @import
    (include_once_expression (string (string_content) @module)) @import
    (require_expression (binary_expression right: (string (string_content) @module))) @import
    (require_once_expression (binary_expression right: (string (string_content) @module))) @import
    """,
)
