"""Words that programmers use for one another, and the short forms of words in code; it knows no project.

General words of the trade, written for this engine; a word is looked up by its stem.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from explore.retrieve.words import term_of

_ALIKE: Final = """
allocate alloc malloc
authentication authorization auth credential login
cache memo memoize
callback handler hook listener
catch rescue recover
compare comparison equal cmp diff
compress gzip deflate
configuration config cfg setting option preference
convert transform coerce cast
copy clone duplicate
create make build construct
database db sql
delete remove drop erase unlink
deserialize decode unmarshal parse
dictionary dict map
emit notify publish fire
encrypt cipher crypto
enumerate iterate traverse walk
error exception failure fault err
escape quote sanitize
event signal
fetch retrieve get load
flush drain
folder directory dir
hash digest checksum
inherit extend subclass
initialize init setup
interface protocol trait
lock mutex semaphore
log logger trace
member field
merge combine join concat concatenate
middleware interceptor filter
mock stub fake
null nil none
plugin extension addon
promise future
queue schedule
regex regexp pattern
render template view
reply response res resp
retry attempt backoff
separator delimiter
serialize encode marshal stringify
shutdown close stop terminate teardown dispose
split tokenize
start launch boot startup bootstrap
subscribe observe listen
terminal tty console
throw raise
timeout deadline expiry ttl
utility util helper
validate check verify assert
watch monitor
wrap decorate
"""

_SHORT: Final = """
address addr
application app
asynchronous async
attribute attr
boolean bool
buffer buf
character char
command cmd
connection conn
context ctx
current cur
destination dest dst target
document doc
element elem
environment env
execute exec run
expression expr
format fmt
function func fn
generate gen
identifier id
image img
implementation impl
index idx
integer int
length len size
library lib
maximum max
message msg
minimum min
number num
object obj
operation op
package pkg module
parameter param argument arg
pointer ptr
position pos offset
previous prev
process proc
property prop
reference ref
request req
route router
sequence seq
source src
specification spec
string str
synchronous sync
temporary temp tmp
value val
variable var
"""


def synonyms(term: str) -> frozenset[str]:
    """The terms that stand for this one, without itself; none for most."""
    return _table().get(term, frozenset())


@cache
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for row in (_ALIKE + _SHORT).strip().splitlines():
        group = frozenset(map(term_of, row.split())) - {""}
        for term in group:
            table[term] = table.get(term, frozenset()) | group - {term}
    return table
