"""What the index tells of a project, and that the files it hands out are those on disk at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from explore.calls.graph import Graph
from explore.index.corpus import MOST_NAMES, IndexCorpus, read_inside
from explore.index.store import Store
from explore.index.sync import sync
from explore.model.calls import Site
from explore.model.corpus import COUNT_MASK, IN_NAME, Located
from tests.support import hostile
from tests.support.corpus import tree, write_tree

PROJECT = tree("""
    shop/
        cart.py
            | from shop.prices import price_of
            | from shop import stock
            |
            | class Cart(Basket):
            |     def total(self):
            |         return sum(price_of(item) for item in self.items)
            |
            |     def check(self):
            |         return self.total() and helper()
            |
            | def helper():
            |     return take()
        prices.py
            | def price_of(item):
            |     return item.price
        basket.py
            | class Basket:
            |     pass
        stock.py
            | def take():
            |     return 1
    old/
        prices.py
            | def price_of(item):
            |     return 0
        more.py
            | def take():
            |     return 2
            |
            | def twice():
            |     return take()
    web/
        page.ts
            | import { render } from './draw'
            |
            | export function page() {
            |   return render()
            | }
        draw.ts
            | export function render() {
            |   return Price_Of()
            | }
    cmd/
        main.go
            | package main
            |
            | func main() {
            |     Serve()
            | }
        serve.go
            | package main
            |
            | func Serve() {}
""")


@contextmanager
def corpus_of(root: Path) -> Iterator[IndexCorpus]:
    """The corpus over an index just made, kept beside the root."""
    folder = root.with_name("index")
    folder.mkdir(exist_ok=True)
    store = Store.open(folder)
    try:
        sync(store, root)
        with store.reading():
            yield IndexCorpus(store, root)
    finally:
        store.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The project on disk."""
    write_tree(tmp_path / "root", PROJECT)
    return tmp_path / "root"


@pytest.fixture
def corpus(root: Path) -> Iterator[IndexCorpus]:
    """The project as indexed."""
    with corpus_of(root) as corpus:
        yield corpus


def located(corpus: IndexCorpus, path: str, qualified: str) -> Located:
    """A symbol of a file."""
    return next(s for s in corpus.located(qualified.rsplit(".", 1)[-1]) if (s.path, s.qualified) == (path, qualified))


EDGES = [
    pytest.param("shop/cart.py", "Cart.total", "shop/prices.py", "price_of", id="imported, not its namesake"),
    pytest.param("shop/cart.py", "Cart.check", "shop/cart.py", "Cart.total", id="in the class"),
    pytest.param("shop/cart.py", "Cart.check", "shop/cart.py", "helper", id="in the file"),
    pytest.param("old/more.py", "twice", "old/more.py", "take", id="the file's own, not its namesake"),
    pytest.param("web/page.ts", "page", "web/draw.ts", "render", id="TypeScript"),
    pytest.param("cmd/main.go", "main", "cmd/serve.go", "Serve", id="Go, in its package"),
]


@pytest.mark.parametrize(("user", "using", "file", "used"), EDGES)
def test_an_edge_is_seen_from_both_ends(corpus: IndexCorpus, user: str, using: str, file: str, used: str) -> None:
    graph, source, target = Graph(corpus), located(corpus, user, using), located(corpus, file, used)
    assert (source, target) in {(edge.source, edge.target) for edge in graph.out_of(source)}
    assert (source, target) in {(edge.source, edge.target) for edge in graph.into(target)}


def test_what_is_inherited_is_seen_from_both_ends(corpus: IndexCorpus) -> None:
    graph = Graph(corpus)
    cart, basket = (
        graph.types.meant(name, located(corpus, path, name))
        for path, name in (("shop/cart.py", "Cart"), ("shop/basket.py", "Basket"))
    )
    assert cart
    assert basket
    assert graph.types.above(cart) == (basket,)
    assert graph.types.below(basket) == (cart,)


def test_edges_stand_on_the_line_of_the_use(corpus: IndexCorpus) -> None:
    (edge,) = Graph(corpus).out_of(located(corpus, "shop/cart.py", "Cart.total"))
    assert edge.site == Site("shop/cart.py", 6, "price_of")


def test_what_is_not_used_has_no_edge_to_it(corpus: IndexCorpus) -> None:
    """A namesake elsewhere is meant, and a name in another case is another name."""
    graph = Graph(corpus)
    assert graph.into(located(corpus, "old/prices.py", "price_of")) == ()
    assert graph.out_of(located(corpus, "web/draw.ts", "render")) == ()


def test_totals_and_languages_count_all_files(corpus: IndexCorpus) -> None:
    totals = corpus.totals()
    assert totals.files == len(PROJECT)
    assert totals.symbols == sum(len(source.symbols) for source in corpus.sources(list(PROJECT)).values())
    assert corpus.languages() == {"python": 6, "go": 2, "typescript": 2}


def test_a_posting_has_counts_and_where_they_stand(corpus: IndexCorpus) -> None:
    found = {corpus.facts([p.file])[p.file].path: p.hits for p in corpus.postings("total")}
    assert set(found) == {"shop/cart.py"}
    ordinals, hits = found["shop/cart.py"][::2], found["shop/cart.py"][1::2]
    named = {o: h & COUNT_MASK for o, h in zip(ordinals, hits, strict=True) if h & IN_NAME}
    assert named == {located(corpus, "shop/cart.py", "Cart.total").ordinal: 1}
    assert located(corpus, "shop/cart.py", "Cart.check").ordinal in ordinals


def test_symbols_are_found_by_name_in_any_case_and_by_a_part_of_it(corpus: IndexCorpus) -> None:
    assert len(corpus.defined("PRICE_OF")) == 2
    assert corpus.defined("") == []
    assert corpus.names_holding("rice") == ["price_of"]
    assert corpus.names_holding("RICE_") == ["price_of"]
    assert corpus.names_holding('"') == []
    assert corpus.names_holding("' OR 1") == []


def test_a_part_that_many_names_hold_gives_some_of_them(tmp_path: Path) -> None:
    write_tree(tmp_path / "root", {"a.py": b"".join(b"def wide_%03d(): pass\n" % n for n in range(2 * MOST_NAMES))})
    with corpus_of(tmp_path / "root") as corpus:
        assert corpus.names_holding("wide") == [f"wide_{n:03}" for n in range(MOST_NAMES)]


NAMED = [
    ("prices.py", ["old/prices.py", "shop/prices.py"]),
    ("prices", ["old/prices.py", "shop/prices.py"]),
    ("shop/prices.py", ["shop/prices.py"]),
    ("SHOP/Prices", ["shop/prices.py"]),
    ("/shop/prices.py", ["shop/prices.py"]),
    ("op/prices.py", []),
    ("ices.py", []),
    ("prices.ts", []),
    ("shop", []),
    ("", []),
]


@pytest.mark.parametrize(("name", "paths"), NAMED)
def test_files_are_found_by_the_end_of_their_path(corpus: IndexCorpus, name: str, paths: list[str]) -> None:
    found = corpus.files_named(name)
    facts = corpus.facts(found)
    assert [facts[file].path for file in found] == paths


def test_facts_and_symbols_of_strangers_are_left_out(corpus: IndexCorpus) -> None:
    assert corpus.facts([99_999]) == {}
    assert corpus.symbols([99_999]) == {}
    assert len(corpus.facts(range(2_000))) == len(PROJECT)


def test_an_edited_file_is_parsed_on_the_spot(corpus: IndexCorpus, root: Path) -> None:
    (root / "shop/stock.py").write_text("# new\n\n\ndef take():\n    return 3\n")
    source = corpus.sources(["shop/stock.py"])["shop/stock.py"]
    assert [(s.name, s.line) for s in source.symbols if s.name] == [("take", 4)]
    assert source.lines[4] == "    return 3"


def test_what_cannot_be_read_is_left_out(corpus: IndexCorpus, root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("secret = 1\n")
    (root / "shop/stock.py").unlink()
    (root / "shop/prices.py").unlink()
    (root / "shop/prices.py").symlink_to(tmp_path / "secret.py")
    (root / "shop/basket.py").unlink()
    (root / "shop/basket.py").mkdir()
    wanted = [*(f"shop/{name}.py" for name in ("stock", "prices", "basket", "cart")), "../secret.py", "x.md", "a\0b.py"]
    assert set(corpus.sources(wanted)) == {"shop/cart.py"}
    assert read_inside(root, "../secret.py") is None
    assert read_inside(root, str(tmp_path / "secret.py")) is None


def test_every_symbol_of_the_hostile_repository_is_found_where_grep_finds_it(tmp_path: Path) -> None:
    """And its span holds its name."""
    hostile.write_hostile(tmp_path / "root")
    with corpus_of(tmp_path / "root") as corpus:
        sources = corpus.sources(sorted({place.path for place in hostile.PLACES}))
        for wanted in hostile.PLACES:
            symbols = sources[wanted.path].symbols
            lines = {s.line for s in symbols if s.name == wanted.symbol and s.line in s.span}
            assert wanted.line in lines, wanted
        for hidden in (*hostile.NEVER_INDEXED.values(), hostile.OUTSIDE_SYMBOL):
            assert not corpus.defined(hidden), hidden
        assert len(corpus.defined(hostile.LINKED.symbol)) == 1
        for path, symbol in hostile.NAMES.items():
            assert len(corpus.defined(symbol)) == (path != hostile.STRAY_BYTE_NAME), path
