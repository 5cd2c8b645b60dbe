"""Python, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

_HANDED = """
    (argument_list [(identifier) (attribute)] @reference.pass)
    (keyword_argument value: [(identifier) (attribute)] @reference.pass)
    (assignment left: (attribute) right: [(identifier) (attribute)] @reference.pass)
    (assignment left: (subscript) right: [(identifier) (attribute)] @reference.pass)
    (pair value: [(identifier) (attribute)] @reference.pass)
    (list [(identifier) (attribute)] @reference.pass)
    (return_statement (identifier) @reference.pass)
    (tuple [(identifier) (attribute)] @reference.pass)
"""

PYTHON = Language(
    name="python",
    suffixes=(".py", ".pyi", ".pyw"),
    by_name=True,
    grammar=("tree_sitter_python", "language"),
    handed=_HANDED,
    wrappers=frozenset({"decorated_definition"}),
    query="""
    (function_definition name: (identifier) @name) @definition.function
    (class_definition name: (identifier) @name) @definition.class
    (type_alias_statement left: (type (identifier) @name)) @definition.type
    (module (expression_statement (assignment left: (identifier) @name)) @definition.constant)
    (class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.field))

    (call function: (identifier) @reference.call)
    (call function: (attribute attribute: (identifier) @reference.call))
    (typed_parameter (identifier) @variable type: (type) @type)
    (typed_default_parameter name: (identifier) @variable type: (type) @type)
    (assignment left: (identifier) @variable type: (type) @type)
    (assignment left: (attribute) @variable type: (type) @type)
    (class_definition body: (block (expression_statement (assignment
        left: (identifier) @field type: (type) @type))))
    (assignment left: [(identifier) (attribute)] @variable right: (call function: [(identifier) (attribute)] @type))
    (assignment left: (attribute) @variable !type right: (identifier) @same)
    ((assignment left: [(identifier) (attribute)] @variable right: (call function: (identifier) @_copies
        arguments: (argument_list . [(identifier) (attribute) (call)] @same .)))
        (#any-of? @_copies "list" "reversed" "set" "sorted" "tuple"))
    (for_statement left: (identifier) @variable right: [(identifier) (attribute) (call)] @each)
    (for_in_clause left: (identifier) @variable right: [(identifier) (attribute) (call)] @each)
    (as_pattern (call function: [(identifier) (attribute)] @type) alias: (as_pattern_target (identifier) @variable))
    (decorator (identifier) @reference.decorate)
    (decorator (attribute attribute: (identifier) @reference.decorate))
    (decorator (call function: (identifier) @reference.decorate))
    (decorator (call function: (attribute attribute: (identifier) @reference.decorate)))
    (class_definition superclasses: (argument_list (identifier) @reference.inherits))
    (class_definition superclasses: (argument_list (attribute attribute: (identifier) @reference.inherits)))
    (class_definition superclasses: (argument_list (subscript value: (identifier) @reference.inherits)))
    (class_definition superclasses: (argument_list
        (subscript value: (attribute attribute: (identifier) @reference.inherits))))

    (import_statement name: (dotted_name) @module) @import
    (import_statement name: (aliased_import name: (dotted_name) @module)) @import
    (import_from_statement module_name: (_) @module name: (dotted_name) @name) @import
    (import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name) @name)) @import
    (import_from_statement module_name: (_) @module (wildcard_import)) @import
    """,
)
