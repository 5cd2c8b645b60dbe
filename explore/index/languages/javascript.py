"""JavaScript and JSX, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

WRAPPERS = frozenset(
    {
        "assignment_expression",
        "export_statement",
        "expression_statement",
        "lexical_declaration",
        "variable_declaration",
    }
)

FUNCTIONS = "[(arrow_function) (function_expression) (generator_function)]"
_ASSIGNED = """left: [
    (identifier) @name
    (member_expression object: (_) @scope property: (property_identifier) @name)]"""
_DECLARED = "(variable_declarator name: (identifier) @name)"
_FUNCTION = f"(variable_declarator name: (identifier) @name value: {FUNCTIONS})"

SHARED = f"""
    (function_declaration name: (identifier) @name) @definition.function
    (generator_function_declaration name: (identifier) @name) @definition.function
    (class_body (method_definition name: (_) @name) @definition.method)
    (object (method_definition name: (_) @name) @definition.value)
    (pair key: [(property_identifier) (string)] @name value: {FUNCTIONS}) @definition.value

    (variable_declarator name: (identifier) @name value: (class)) @definition.class
    (program (lexical_declaration {_FUNCTION} @definition.function))
    (program (variable_declaration {_FUNCTION} @definition.function))
    (program (export_statement declaration: (lexical_declaration {_FUNCTION} @definition.function)))
    {_FUNCTION} @definition.value
    (program (lexical_declaration {_DECLARED} @definition.constant))
    (program (variable_declaration {_DECLARED} @definition.constant))
    (program (export_statement declaration: (lexical_declaration {_DECLARED} @definition.constant)))

    ((assignment_expression left: (member_expression property: (property_identifier) @_exports)
        right: (function_expression name: (identifier) @name)) @definition.function (#eq? @_exports "exports"))
    ((assignment_expression left: (member_expression property: (property_identifier) @_exports)
        right: (class name: (_) @name)) @definition.class (#eq? @_exports "exports"))
    (assignment_expression {_ASSIGNED} right: (class)) @definition.class
    (program (expression_statement (assignment_expression {_ASSIGNED} right: {FUNCTIONS}) @definition.function))
    (assignment_expression {_ASSIGNED} right: {FUNCTIONS}) @definition.value
    (program (expression_statement (assignment_expression {_ASSIGNED} right: (_)) @definition.constant))

    (export_statement "default" @name value: (class)) @definition.class
    (export_statement "default" @name value: {FUNCTIONS}) @definition.function
    (export_statement "default" @name value: [(object) (call_expression)]) @definition.constant

    ((call_expression function: (identifier) @reference.call) (#not-eq? @reference.call "require"))
    (call_expression function: (member_expression property: [
        (property_identifier) @reference.call
        (private_property_identifier) @reference.call]))
    (decorator (identifier) @reference.decorate)
    (decorator (call_expression function: (identifier) @reference.decorate))
    (arguments (function_expression name: (identifier) @name) @definition.value)
    (variable_declarator name: (identifier) @variable value: (new_expression constructor: (_) @type))
    (assignment_expression left: [(identifier) (member_expression)] @variable
        right: (new_expression constructor: (_) @type))
    (assignment_expression left: (member_expression) @variable right: (identifier) @same)
    (variable_declarator name: (identifier) @variable value: [(member_expression) (subscript_expression)] @same)
    (for_in_statement left: (identifier) @variable right: [(identifier) (member_expression)] @each)
    (new_expression constructor: (identifier) @reference.call)
    (new_expression constructor: (member_expression property: (property_identifier) @reference.call))

    (import_statement source: (string (string_fragment) @module)) @import
    (import_statement (import_clause (named_imports (import_specifier name: (_) @name)))
        source: (string (string_fragment) @module)) @import
    (import_statement (import_clause (namespace_import (identifier) @name))
        source: (string (string_fragment) @module)) @import
    ((variable_declarator name: (identifier) @name value: (call_expression function: (identifier) @_require
        arguments: (arguments . (string (string_fragment) @module) .))) @import (#eq? @_require "require"))
    ((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)
        value: (call_expression function: (identifier) @_require
        arguments: (arguments . (string (string_fragment) @module) .))) @import (#eq? @_require "require"))
    (import_statement (import_clause (identifier) @name) source: (string (string_fragment) @module)) @import
    (export_statement source: (string (string_fragment) @module)) @import
    (export_statement (export_clause (export_specifier name: (_) @name))
        source: (string (string_fragment) @module)) @import
    (call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))) @import
    ((call_expression function: (identifier) @_require
        arguments: (arguments . (string (string_fragment) @module) .)) @import (#eq? @_require "require"))
"""

HANDED = """
    (arguments [(identifier) (member_expression)] @reference.pass)
    (arguments (function_expression name: (identifier) @reference.pass))
    (pair value: [(identifier) (member_expression)] @reference.pass)
    (object (shorthand_property_identifier) @reference.pass)
    (array [(identifier) (member_expression)] @reference.pass)
    (return_statement (identifier) @reference.pass)
    (assignment_expression left: (member_expression) right: [(identifier) (member_expression)] @reference.pass)
"""

JSX_CALLS = """
    ((jsx_opening_element name: (identifier) @reference.call) (#match? @reference.call "^[A-Z]"))
    ((jsx_self_closing_element name: (identifier) @reference.call) (#match? @reference.call "^[A-Z]"))
    (jsx_opening_element name: (member_expression property: (property_identifier) @reference.call))
    (jsx_self_closing_element name: (member_expression property: (property_identifier) @reference.call))
"""

JAVASCRIPT = Language(
    name="javascript",
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    by_name=True,
    grammar=("tree_sitter_javascript", "language"),
    handed=HANDED,
    wrappers=WRAPPERS,
    query=SHARED
    + JSX_CALLS
    + f"""
    (class_declaration name: (identifier) @name) @definition.class
    (field_definition property: (_) @name value: {FUNCTIONS}) @definition.method
    (field_definition property: (_) @name) @definition.field
    (field_definition property: (_) @field value: (new_expression constructor: (_) @type))
    (class_heritage (identifier) @reference.inherits)
    (class_heritage (member_expression property: (property_identifier) @reference.inherits))
    """,
)
