"""C, declared; it parses nothing by itself."""

from explore.index.languages.declaration import Language
from explore.index.languages.preprocessor import flatten

# A macro by its name, a surer one, and its arguments with two levels of parentheses.
_MACRO = r"[A-Z][A-Z0-9_]{2,}"
_SURE_MACRO = r"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_ARGUMENTS = r"(?:[ \t]*\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))?"

# Comments in a macro's lines, and upper-case macros, which no grammar can know: alone on a line, before a class's name,
# before and after a function's head.
NOISE = (
    r"(/\*[^*\n]*\*/)(?=[^\n]{0,400}\\$)",
    r"\\\n[^\n]{0,400}?(/\*[^*\n]*\*/)",
    (
        r"(?:\A|(?<=[;{}:>/\n]\n)|^(?:.*[;{}])?[ \t]*(?:#|//).*(?<!\\)\n)"
        rf"((?:[ \t]*{_MACRO}{_ARGUMENTS}[ \t]*(?://.*)?\n)+)(?![ \t]*(?:\{{|\w+[ \t]*\())"
    ),
    rf"\b(?:class|struct|union|enum)[ \t]+({_MACRO}{_ARGUMENTS})(?=[ \t]+\w[\w:]*\s*(?:final\s*)?[:{{])",
    rf"\b((?:{_MACRO}[ \t]+){{1,4}})(?!const\b|volatile\b|struct\b)(?=[a-zA-Z_][\w:<>]*[ \t*&]+~?[\w:]+[ \t]*\()",
    rf"\)[ \t]*(?:(?:const|noexcept|override)[ \t]*)*((?:{_MACRO}{_ARGUMENTS}\s*){{1,4}})(?=\{{|:[^:])",
)

# The same where types are hardly upper-case.
NOISE_OF_CPP = (
    *NOISE,
    rf"\b({_SURE_MACRO}[ \t]+)(?=~?\w+[ \t]*\()",
    # In place of `try` and of `catch (...)`, before a block.
    rf"^(?:[ \t]+|[ \t]*\}}[ \t]*)({_SURE_MACRO}(?:[ \t]*\(\.\.\.\))?)(?=[ \t]*\{{)",
)

_FUNCTION = "(function_declarator declarator: (identifier) @name)"
_DECLARATOR = f"""[
    {_FUNCTION}
    (_ {_FUNCTION})
    (_ (_ {_FUNCTION}))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator {_FUNCTION})))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
]"""

_POINTED = "(function_declarator declarator: (parenthesized_declarator (pointer_declarator (type_identifier) @name)))"

MACROS = """
    (preproc_def name: (identifier) @name) @definition.constant
    (preproc_function_def name: (identifier) @name) @definition.macro
    (preproc_include path: (string_literal (string_content) @module)) @import
    (preproc_include path: (system_lib_string) @module) @import
    (call_expression function: (identifier) @reference.call)
    (call_expression function: (field_expression field: (field_identifier) @reference.call))
"""

# A function whose head is a macro with its name: `TEST(name) {`.
MACRO_FUNCTIONS = """
    (function_definition type: (type_identifier) declarator: (parenthesized_declarator
        (identifier) @name)) @definition.function
"""

# Of a type with a body and its typedef the typedef's name is the one in use.
TYPES = f"""
    (type_definition type: (struct_specifier body: (_)) declarator: (type_identifier) @name) @definition.struct
    (type_definition type: (union_specifier body: (_)) declarator: (type_identifier) @name) @definition.struct
    (type_definition type: (enum_specifier body: (_)) declarator: (type_identifier) @name) @definition.enum
    (type_definition declarator: (type_identifier) @name) @definition.type
    (type_definition declarator: [{_POINTED} (pointer_declarator {_POINTED})]) @definition.type
    (enum_specifier !name body: (enumerator_list . (enumerator name: (identifier) @name))) @definition.constant
"""

VARIABLES = """
    (declaration declarator: (init_declarator declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))]) @definition.variable)
"""

HANDED = """
    (argument_list (identifier) @reference.pass)
    (argument_list (pointer_expression argument: (_) @reference.pass))
    (initializer_pair value: (identifier) @reference.pass)
    (initializer_pair value: (pointer_expression argument: (identifier) @reference.pass))
    (initializer_list (identifier) @reference.pass)
    (assignment_expression left: (field_expression) right: (identifier) @reference.pass)
"""

C = Language(
    name="c",
    suffixes=(".c", ".h"),
    grammar=("tree_sitter_c", "language"),
    handed=HANDED,
    wrappers=frozenset({"declaration", "type_definition"}),
    prepare=flatten,
    noise=NOISE,
    query=f"""
    (function_definition declarator: {_DECLARATOR}) @definition.function
    (declaration declarator: {_DECLARATOR}) @definition.declaration
    {MACRO_FUNCTIONS}
    {TYPES}
    (struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
    (union_specifier name: (type_identifier) @name body: (_)) @definition.struct
    (enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
    {VARIABLES}
    {MACROS}
    """,
)
