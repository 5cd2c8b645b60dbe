"""Go, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

_EMBEDDED = """[
    (type_identifier) @reference.inherits
    (qualified_type name: (type_identifier) @reference.inherits)
]"""

_HANDED = """
    (argument_list [(identifier) (selector_expression)] @reference.pass)
    (keyed_element value: (literal_element [(identifier) (selector_expression)] @reference.pass))
    (literal_value (literal_element (identifier) @reference.pass))
    (return_statement (expression_list (identifier) @reference.pass))
    (assignment_statement left: (expression_list [(selector_expression) (index_expression)])
        right: (expression_list [(identifier) (selector_expression)] @reference.pass))
"""

GO = Language(
    name="go",
    suffixes=(".go",),
    grammar=("tree_sitter_go", "language"),
    handed=_HANDED,
    wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration", "var_spec_list"}),
    query=f"""
    (function_declaration name: (identifier) @name) @definition.function
    (method_declaration
        receiver: (parameter_list (parameter_declaration type: [
            (type_identifier) @scope
            (pointer_type (type_identifier) @scope)
            (generic_type type: (type_identifier) @scope)
            (pointer_type (generic_type type: (type_identifier) @scope))]))
        name: (field_identifier) @name) @definition.method
    (type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
    (type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
    (type_spec name: (type_identifier) @name) @definition.type
    (type_alias name: (type_identifier) @name) @definition.type
    (method_elem name: (field_identifier) @name) @definition.method
    (source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
    (source_file (var_declaration (var_spec
        name: (identifier) @name value: (expression_list (func_literal))) @definition.function))
    (source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
    (source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

    (call_expression function: (identifier) @reference.call)
    (call_expression function: (selector_expression field: (field_identifier) @reference.call))
    (type_conversion_expression type: (generic_type type: [
        (type_identifier) @reference.call
        (qualified_type name: (type_identifier) @reference.call)]))
    (composite_literal type: (type_identifier) @reference.call)
    (composite_literal type: (qualified_type name: (type_identifier) @reference.call))
    (composite_literal type: (generic_type type: (type_identifier) @reference.call))
    (parameter_declaration name: (identifier) @variable type: (_) @type)
    (field_declaration name: (field_identifier) @field type: (_) @type)
    (var_spec name: (identifier) @variable type: (_) @type)
    (short_var_declaration left: (expression_list . (identifier) @variable) right: (expression_list . [
        (unary_expression operand: (composite_literal type: (_) @type))
        (composite_literal type: (_) @type)
        (call_expression function: [(identifier) (selector_expression)] @type)
        (type_assertion_expression type: (_) @type)]))
    (range_clause left: (expression_list (_) (identifier) @variable .)
        right: [(identifier) (selector_expression)] @each)
    (range_clause left: (expression_list . (identifier) @variable) right: [(identifier) (selector_expression)] @key)
    (short_var_declaration left: (expression_list . (identifier) @variable) right: (expression_list . [
        (selector_expression) (index_expression)] @same))
    (field_declaration !name type: {_EMBEDDED})
    (field_declaration !name type: (generic_type type: {_EMBEDDED}))
    (interface_type (type_elem {_EMBEDDED}))

    (import_spec name: (package_identifier) @name
        path: (interpreted_string_literal (interpreted_string_literal_content) @module)) @import
    (import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @module)) @import
    """,
)
