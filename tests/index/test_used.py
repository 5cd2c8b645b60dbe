"""What a name is used with, language by language: what it is called on, where it is handed to, what type a variable
has, which events are sent and awaited."""

from __future__ import annotations

from textwrap import dedent
from typing import Final

import pytest

from explore.index.languages import language_of
from explore.index.parse import parse
from explore.index.used import plain_type
from explore.model.source import EdgeKind, parameters
from explore.model.text import split_lines

SHOWN: Final = frozenset({EdgeKind.CALLS, EdgeKind.EMITS, EdgeKind.LISTENS, EdgeKind.PASSES, EdgeKind.TYPES})

CASES: Final = (
    pytest.param(
        ".py",
        """
        from shop.acts import helper, on_sold, on_start

        class A:
            pool: Pool
            def __init__(self, store: Optional[Store], act):
                self.store = store
                self.act = act
                self.log = Log()
            def run(self, rows):
                self.pool.take(1)
                self.open()[0].close_it()
                each(rows, self.work, helper, rows, elsewhere, rows.first)
                self.bus.emit("sold")
                self.bus.on("sold", on_sold)
                started.connect(on_start)
                started.send(self)
                (1 + 2).bit_length()
        """,
        "types pool:Pool, passes store:store, types .store:=store, types store:Store, passes act:act, types .act:=act,"
        " calls Log, types .log:Log(), calls take:self.pool, calls close_it:self.open()[], calls open:self, calls each,"
        " passes helper:each#2, passes work:each#1 self, calls emit:self.bus, emits sold, calls on:self.bus,"
        " listens sold:on_sold, passes on_sold:on#1, calls connect:started, listens started:on_start,"
        " passes on_start:connect#0, calls send:started, emits started, calls bit_length:?",
        id="python",
    ),
    pytest.param(
        ".js",
        """
        import { drawPage, other } from './pages'
        function setup(app, act) {
          const view = new View(app)
          view.show()
          app.on('open', this.opened)
          app.handler = act
          run.call(this, app)
          use({ page: drawPage, other })
        }
        """,
        "types view:View, calls View, calls show:view, calls on:app, listens open:opened, passes opened:on#1 this,"
        " passes act:handler, calls run, calls use, passes drawPage:page, passes other:other",
        id="javascript",
    ),
    pytest.param(
        ".go",
        """
        package a
        type Server struct {
            pool *Pool
            n int
        }
        func (s *Server) Start(w http.Writer) {
            c := NewClient()
            c.Do(w)
            s.pool.Get().Run()
            s.act = chain(s.find)
            http.Handle("/", s.find)
        }
        """,
        "types pool:Pool, types s:Server, calls NewClient, types c:NewClient(), calls Do:c,"
        " calls Get:s.pool, calls Run:s.pool.Get(), calls chain, passes find:act s, passes find:chain#0 s,"
        " calls Handle:http, passes find:Handle#1 s",
        id="go",
    ),
    pytest.param(
        ".java",
        """
        class A {
            private final Map<String, Pool> pools;
            private final Pool pool;
            void run(Store store) {
                store.save();
                pool.take().end();
                rows.forEach(this::each);
            }
        }
        """,
        "types pool:Pool, types store:Store, calls save:store, calls end:pool.take(), calls take:pool,"
        " calls forEach:rows, passes each:forEach#0 this",
        id="java",
    ),
    pytest.param(
        ".rs",
        """
        struct Server { pool: Arc<Pool> }
        impl Server {
            fn run(&self, store: &Store) {
                store.save();
                Pool::open(helper).take();
            }
        }
        """,
        "types pool:Pool, types store:Store, calls save:store, calls open:Pool, calls take:Pool.open(),"
        " passes helper:open#0",
        id="rust",
    ),
)


@pytest.mark.parametrize(("suffix", "source", "expected"), CASES)
def test_what_names_are_used_with(suffix: str, source: str, expected: str) -> None:
    text = dedent(source).strip("\n") + "\n"
    language = language_of("a" + suffix)
    assert language
    found = parse(language, text, split_lines(text)).references
    shown = (f"{r.kind.value} {r.name}:{r.module}".rstrip(":") for r in found if r.kind in SHOWN)
    assert sorted(shown) == sorted(each.strip() for each in expected.split(", "))


def test_what_is_handed_on_is_left_out_where_nobody_asks() -> None:
    language = language_of("a.py")
    assert language
    text = "from acts import helper\neach(rows, helper)\n"
    kinds = [{r.kind for r in parse(language, text, split_lines(text), handed=h).references} for h in (True, False)]
    assert [EdgeKind.PASSES in found for found in kinds] == [True, False]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Store", "Store"),
        ("*http.Client", "http.Client"),
        ("t.Optional['Store']", "Store"),
        ("Store | None", "Store"),
        ("None | Store", "Store"),
        ("&'a mut Store", "Store"),
        ("Box<dyn Store>", "Store"),
        ("std::shared_ptr<shop::Store>", "shop.Store"),
        ("const Store&", "Store"),
        ("?Store", "Store"),
        ("Map<String, Store>", ""),
        ("int", ""),
        ("list[Store]", "Store[]"),
        ("[]Store", "Store[]"),
        ("map[string]*Store", "Store[]"),
        ("map[*Store]bool", "Store{}"),
        ("[][]Store", ""),
        ("func(a int)", ""),
        ("", ""),
    ],
)
def test_a_type_is_known_by_its_name(text: str, name: str) -> None:
    assert plain_type(text) == name


@pytest.mark.parametrize(
    ("signature", "language", "names"),
    [
        ("def f(self, a, b: int = 1, *rest, c=(1, 2))", "python", "a b rest c"),
        ("func (s *Server) f(w http.Writer, r *http.Request) error", "go", "w r"),
        ("void f(String name, List<A, B> rows)", "java", "name rows"),
        ("f(a: string, private readonly b: Map<A, B>, c?: number): void", "typescript", "a b c"),
        ("fn f(&self, a: &str, mut b: u8) -> u8", "rust", "a b"),
        ("int f(struct loop* l, void (*cb)(int))", "c", "l cb"),
        ("function f(array $a, ?Store $b = null)", "php", "a b"),
        ("fun f(a: Int, b: (Int) -> Int)", "kotlin", "a b"),
        ("def f", "ruby", ""),
    ],
)
def test_parameters_are_known_by_their_names(signature: str, language: str, names: str) -> None:
    assert " ".join(parameters(signature, "f", language)) == names
