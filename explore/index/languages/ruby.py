"""Ruby, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language

_CONSTANT = """[
    (constant) @name
    (scope_resolution scope: (_)? @scope name: (constant) @name)
]"""
_INHERITED = """[
    (constant) @reference.inherits
    (scope_resolution name: (constant) @reference.inherits)
]"""
_CALLED = """[
    (constant) @reference.call
    (scope_resolution name: (constant) @reference.call)
]"""

# What looks like a call and declares something; `new` counts as a call of its class.
_DECLARATIVE = (
    "new|require|require_relative|load|autoload|include|extend|prepend|attr_reader|attr_writer|attr_accessor"
    "|private|protected|public|module_function|private_class_method|private_constant"
)

_HANDED = """
    ((call method: (identifier) @_method arguments: (argument_list (simple_symbol) @reference.pass))
        (#match? @_method
            "^(method|instance_method|public_send|send|__send__|helper_method|(before|after|around)_[a-z_]+)$"))
    (assignment left: (instance_variable) right: (identifier) @reference.pass)
    (block_argument (simple_symbol) @reference.pass)
    (identifier) @reference.bare
"""

RUBY = Language(
    name="ruby",
    suffixes=(".rb", ".rake", ".gemspec", ".ru"),
    grammar=("tree_sitter_ruby", "language"),
    handed=_HANDED,
    wrappers=frozenset({"argument_list", "call"}),
    query=f"""
    (module name: {_CONSTANT}) @definition.module
    (class name: {_CONSTANT}) @definition.class
    (module body: (body_statement (method name: (_) @name) @definition.method))
    (module body: (body_statement (singleton_method object: (self) name: (_) @name) @definition.method))
    (singleton_class body: (body_statement (method name: (_) @name) @definition.method))
    (method name: (_) @name) @definition.function
    (singleton_method object: (self) name: (_) @name) @definition.function
    (singleton_method object: (constant) @scope name: (_) @name) @definition.function
    (singleton_method object: (identifier) @scope name: (_) @name) @definition.function
    ((call !receiver method: (identifier) @_define
        arguments: (argument_list . [(simple_symbol) @name (string (string_content) @name)])
        block: (_)) @definition.function
        (#any-of? @_define "define_method" "define_singleton_method"))
    ((assignment left: {_CONSTANT} right: (call
        receiver: (constant) @_base method: (identifier) @_new block: (_))) @definition.class
        (#any-of? @_base "Class" "Data" "Struct") (#any-of? @_new "define" "new"))
    ((assignment left: {_CONSTANT} right: (call
        receiver: (constant) @_base method: (identifier) @_new block: (_))) @definition.module
        (#eq? @_base "Module") (#eq? @_new "new"))
    (program (assignment left: {_CONSTANT}) @definition.constant)
    (body_statement (assignment left: {_CONSTANT}) @definition.constant)

    ((call method: (identifier) @reference.call) (#not-match? @reference.call "^({_DECLARATIVE})$"))
    (call receiver: {_CALLED} method: (identifier) @_new (#eq? @_new "new"))
    (assignment left: [(identifier) (instance_variable)] @variable right: (call
        receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new) (#eq? @_new "new"))
    (superclass {_INHERITED})
    (superclass (call receiver: {_INHERITED}))
    ((call !receiver method: (identifier) @_mix arguments: (argument_list {_INHERITED}))
        (#any-of? @_mix "include" "extend" "prepend"))

    ((call !receiver method: (identifier) @_require
        arguments: (argument_list . (string (string_content) @module))) @import
        (#any-of? @_require "require" "require_relative" "load"))
    ((call !receiver method: (identifier) @_autoload
        arguments: (argument_list . (simple_symbol) @name (string (string_content) @module))) @import
        (#eq? @_autoload "autoload"))
    """,
)
