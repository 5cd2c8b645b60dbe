"""Who uses a symbol: the lines that mean it, by file, and no others."""

from __future__ import annotations

import pytest

from explore.calls.graph import Graph
from explore.calls.users import users_of
from explore.model.corpus import MOST_USES
from tests.support.corpus import MemoryCorpus, tree

FILES = tree("""
    shop/
        cart.py
            | class Cart:
            |     def total(self):
            |         return self.total_of() + self.total_of()
            |
            |     def total_of(self):
            |         return 1
        till.py
            | from shop.cart import Cart
            |
            | def ring(cart: Cart):
            |     cart.total()
            |     return cart.total()
            |
            | def other(thing):
            |     return thing.total()
        bag.py
            | class Bag:
            |     def total(self):
            |         return 2
    tests/
        test_cart.py
            | from shop.cart import Cart
            |
            | def test_total():
            |     cart = Cart()
            |     assert cart.total() == 2
""")


@pytest.mark.parametrize(
    ("name", "files", "tests"),
    [
        ("Cart.total", {"shop/till.py": 2}, {"tests/test_cart.py": 1}),
        ("Cart.total_of", {"shop/cart.py": 1}, {}),
        ("Cart", {}, {"tests/test_cart.py": 1}),
    ],
)
def test_the_lines_that_mean_a_symbol_are_counted(name: str, files: dict[str, int], tests: dict[str, int]) -> None:
    corpus = MemoryCorpus(FILES)
    (symbol,) = (s for s in corpus.located(name.rsplit(".", 1)[-1]) if s.qualified == name)
    users = users_of(symbol, corpus, Graph(corpus))
    assert users is not None
    assert (dict(users.files), dict(users.tests)) == (files, tests)


CALLER = "from yard import hoist\n\n\ndef lift_{n}(load):\n    hoist(load)\n    return load.hoist()\n"


@pytest.mark.parametrize(
    ("tests", "twin", "counted"),
    [
        pytest.param(0, False, (50, 0), id="many"),
        pytest.param(MOST_USES, False, (50, 0), id="more tests than are looked up"),
        pytest.param(3, False, (50, 3), id="some tests"),
        pytest.param(0, True, None, id="two of the name"),
    ],
)
def test_of_the_only_one_of_a_name_every_plain_call_counts(
    tests: int, twin: bool, counted: tuple[int, int] | None
) -> None:
    """However many there are; a call on something else may mean another."""
    files = {f"lift_{n}.py": CALLER.format(n=n).encode() for n in range(50)}
    files |= {f"tests/test_{n}.py": CALLER.format(n=n).encode() for n in range(tests)}
    files["yard.py"] = b"def hoist(load):\n    return load\n"
    if twin:
        files["other.py"] = files["yard.py"]
    corpus = MemoryCorpus(files)
    symbol = next(s for s in corpus.located("hoist") if s.path == "yard.py")
    users = users_of(symbol, corpus, Graph(corpus))
    assert (None if users is None else (len(users.files), len(users.tests))) == counted


def test_nobody_uses_what_only_may_be_meant() -> None:
    corpus = MemoryCorpus(FILES)
    (symbol,) = (s for s in corpus.located("total") if s.qualified == "Bag.total")
    assert users_of(symbol, corpus, Graph(corpus)) is None
