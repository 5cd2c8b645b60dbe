"""C#, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language
from explore.index.languages.preprocessor import flatten

_NAMED = """[
    (identifier) @reference.{kind}
    (generic_name (identifier) @reference.{kind})
    (qualified_name name: (identifier) @reference.{kind})
    (qualified_name name: (generic_name (identifier) @reference.{kind}))
]"""
_INHERITED = _NAMED.format(kind="inherits")

_HANDED = """
    (argument [(identifier) (member_access_expression)] @reference.pass)
    (assignment_expression left: [(identifier) (member_access_expression)]
        right: [(identifier) (member_access_expression)] @reference.pass)
"""

CSHARP = Language(
    name="csharp",
    suffixes=(".cs",),
    grammar=("tree_sitter_c_sharp", "language"),
    handed=_HANDED,
    wrappers=frozenset({"event_field_declaration", "field_declaration", "variable_declaration"}),
    prepare=flatten,
    query=f"""
    (class_declaration name: (identifier) @name) @definition.class
    (record_declaration name: (identifier) @name) @definition.class
    (struct_declaration name: (identifier) @name) @definition.struct
    (interface_declaration name: (identifier) @name) @definition.interface
    (enum_declaration name: (identifier) @name) @definition.enum
    (delegate_declaration name: (identifier) @name) @definition.type
    (method_declaration name: (identifier) @name) @definition.method
    (constructor_declaration name: (identifier) @name) @definition.method
    (destructor_declaration "~" @name name: (identifier) @name) @definition.method
    (operator_declaration "operator" @name operator: _ @name) @definition.method
    (conversion_operator_declaration "operator" @name type: (_) @name) @definition.method
    (indexer_declaration "this" @name) @definition.method
    (local_function_statement name: (identifier) @name) @definition.function
    (property_declaration name: (identifier) @name) @definition.field
    (event_declaration name: (identifier) @name) @definition.field
    (field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition.field))
    (event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @definition.field))
    (enum_member_declaration name: (identifier) @name) @definition.constant

    (invocation_expression function: {_NAMED.format(kind="call")})
    (invocation_expression function: (member_access_expression name: [
        (identifier) @reference.call
        (generic_name (identifier) @reference.call)]))
    (invocation_expression function: (conditional_access_expression (member_binding_expression name: [
        (identifier) @reference.call
        (generic_name (identifier) @reference.call)])))
    (object_creation_expression type: {_NAMED.format(kind="call")})
    (parameter type: (_) @type name: (identifier) @variable)
    (variable_declaration type: (_) @type (variable_declarator name: (identifier) @variable))
    (variable_declaration (variable_declarator name: (identifier) @variable
        (object_creation_expression type: (_) @type)))
    (variable_declaration (variable_declarator name: (identifier) @variable
        (invocation_expression function: (_) @type)))
    (field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @field)))
    (property_declaration type: (_) @type name: (identifier) @field)
    (base_list {_INHERITED})
    (base_list (primary_constructor_base_type type: {_INHERITED}))

    (using_directive !name [(identifier) (qualified_name)] @module) @import
    (using_directive name: (identifier) . (_) @module) @import
    """,
)
