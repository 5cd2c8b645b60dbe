"""Who uses a symbol: the lines that mean it, by file, and no others."""

from __future__ import annotations

import pytest

from explore.calls.graph import Graph
from explore.calls.users import users_of
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


def test_nobody_uses_what_only_may_be_meant() -> None:
    corpus = MemoryCorpus(FILES)
    (symbol,) = (s for s in corpus.located("total") if s.qualified == "Bag.total")
    assert users_of(symbol, corpus, Graph(corpus)) is None
