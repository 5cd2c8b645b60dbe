"""Kotlin, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

# What an extension extends, without its package and type arguments.
_RECEIVER = """[
    (user_type (identifier) @scope . (type_arguments)? .)
    (nullable_type (user_type (identifier) @scope . (type_arguments)? .))
]"""
_INHERITED = "(user_type (identifier) @reference.inherits . (type_arguments)? .)"

# Calls of `get` and `set` below a property, which are no accessors; what came into the language after the grammar:
# context parameters, `$$"..."`; and a constructor's modifiers, which it takes only on the line of the class.
_NOISE = (
    r"^[ \t]*va[lr] .*[^{(>,\s]\n(?:[ \t]*\n)*[ \t]*(?P<end>[ \t])(?:get\((?=[^)\s])|get[ \t]*(?=\{)|set\((?=\"))",
    r"^[ \t]*(context\([^()\n]*\))[ \t]*$",
    r"(\$\$)(?=\")",
    r"^[ \t]*((?:(?:actual|public|internal|private|protected)[ \t]+)+)(?=constructor\b)",
)

_HANDED = """
    (callable_reference (identifier) .) @reference.pass
    (value_argument (identifier) @reference.pass .)
"""

KOTLIN = Language(
    name="kotlin",
    suffixes=(".kt", ".kts"),
    grammar=("tree_sitter_kotlin", "language"),
    leading=frozenset({"block_comment", "line_comment"}),
    noise=_NOISE,
    handed=_HANDED,
    query=f"""
    (function_declaration {_RECEIVER} . "." . name: (identifier) @name) @definition.function
    (function_declaration name: (identifier) @name) @definition.function
    (class_declaration "interface" name: (identifier) @name) @definition.interface
    (class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @definition.enum
    (class_declaration name: (identifier) @name) @definition.class
    (object_declaration name: (identifier) @name) @definition.class
    (companion_object name: (identifier) @name) @definition.class
    (secondary_constructor "constructor" @name) @definition.method
    (type_alias type: (identifier) @name) @definition.type
    (enum_entry . (modifiers)? . (identifier) @name) @definition.constant
    (source_file (property_declaration
        {_RECEIVER} . "." . (variable_declaration . (identifier) @name)) @definition.variable)
    (source_file (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
    (class_body (property_declaration
        {_RECEIVER} . "." . (variable_declaration . (identifier) @name)) @definition.field)
    (class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)
    (enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)

    (call_expression . (identifier) @reference.call)
    (call_expression . (navigation_expression (identifier) @reference.call .))
    (infix_expression (_) . (identifier) @reference.call . (_))
    (parameter (identifier) @variable (_) @type)
    (class_parameter (identifier) @field (_) @type)
    (class_body (property_declaration (variable_declaration (identifier) @field (_) @type)))
    (property_declaration (variable_declaration (identifier) @variable (_) @type))
    (property_declaration (variable_declaration . (identifier) @variable .) (call_expression . (identifier) @type))
    (class_body (property_declaration (variable_declaration . (identifier) @field .)
        (call_expression . (identifier) @type)))
    (delegation_specifier {_INHERITED})
    (delegation_specifier (constructor_invocation {_INHERITED}))
    (delegation_specifier (explicit_delegation . {_INHERITED}))

    ((import (qualified_identifier (identifier) @name .) @module) @import (#not-match? @import "[*]"))
    (import (qualified_identifier) @module "*") @import
    """,
)
