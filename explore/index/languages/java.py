"""Java, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

_TYPE = """[
    (type_identifier) @reference.{kind}
    (scoped_type_identifier (type_identifier) @reference.{kind} .)
    (generic_type . (type_identifier) @reference.{kind})
    (generic_type . (scoped_type_identifier (type_identifier) @reference.{kind} .))
]"""
_INHERITED = _TYPE.format(kind="inherits")

_HANDED = """
    (method_reference (identifier) .) @reference.pass
"""

JAVA = Language(
    name="java",
    suffixes=(".java",),
    grammar=("tree_sitter_java", "language"),
    handed=_HANDED,
    wrappers=frozenset({"constant_declaration", "field_declaration"}),
    leading=frozenset({"block_comment", "line_comment"}),
    query=f"""
    (class_declaration name: (identifier) @name) @definition.class
    (record_declaration name: (identifier) @name) @definition.class
    (interface_declaration name: (identifier) @name) @definition.interface
    (annotation_type_declaration name: (identifier) @name) @definition.interface
    (enum_declaration name: (identifier) @name) @definition.enum
    (method_declaration name: (identifier) @name) @definition.method
    (constructor_declaration name: (identifier) @name) @definition.method
    (compact_constructor_declaration name: (identifier) @name) @definition.method
    (field_declaration declarator: (variable_declarator name: (identifier) @name) @definition.field)
    (constant_declaration declarator: (variable_declarator name: (identifier) @name) @definition.constant)
    (enum_constant name: (identifier) @name) @definition.constant

    (method_invocation name: (identifier) @reference.call)
    (formal_parameter type: (_) @type name: (identifier) @variable)
    (local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @variable))
    (local_variable_declaration declarator: (variable_declarator name: (identifier) @variable
        value: (object_creation_expression type: (_) @type)))
    (enhanced_for_statement type: (_) @type name: (identifier) @variable)
    (resource type: (_) @type name: (identifier) @variable)
    (field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @field))
    (object_creation_expression type: {_TYPE.format(kind="call")})
    (object_creation_expression type: {_INHERITED} (class_body))
    (superclass {_INHERITED})
    (super_interfaces (type_list {_INHERITED}))
    (extends_interfaces (type_list {_INHERITED}))

    (import_declaration (scoped_identifier scope: (_) @module name: (identifier) @name) .) @import
    (import_declaration [(identifier) (scoped_identifier)] @module . (asterisk)) @import
    """,
)
