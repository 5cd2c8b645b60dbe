"""Python, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

PYTHON = Language(
    name="python",
    suffixes=(".py", ".pyi", ".pyw"),
    grammar=("tree_sitter_python", "language"),
    wrappers=frozenset({"decorated_definition"}),
    query="""
    (function_definition name: (identifier) @name) @definition.function
    (class_definition name: (identifier) @name) @definition.class
    (type_alias_statement left: (type (identifier) @name)) @definition.type
    (module (expression_statement (assignment left: (identifier) @name)) @definition.constant)
    (class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.field))

    (call function: (identifier) @reference.call)
    (call function: (attribute attribute: (identifier) @reference.call))
    (decorator (identifier) @reference.call)
    (decorator (attribute attribute: (identifier) @reference.call))
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
