"""Names that are not there, and what is near them; nothing takes their place."""

from __future__ import annotations

import pytest

from explore.retrieve.question import read_question
from explore.retrieve.rank import rank
from tests.support.corpus import MemoryCorpus, tree

FILES = tree("""
    shop/
        cart.py
            | class Cart:
            |     tax_rate = 2
            |
            |     def dispatch_request(self):
            |         return self.tax_rate
            |
            |     def checkout(self):
            |         return request_dispatcher
        base.py
            | from outside import Outer
            |
            | class Held(Outer):
            |     def hold(self):
            |         return 1
        till.py
            | def ring_up(cart):
            |     return cart
""")


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("how does dispach_request work", {"dispach_request": ["Cart.dispatch_request"]}),
        ("how does Cart.dispach_reqest work", {"Cart.dispach_reqest": ["Cart.dispatch_request"]}),
        ("how does `checkout_request` work", {"checkout_request": []}),
        ("how does Cart.ring_up work", {"Cart.ring_up": ["ring_up"]}),
        ("how does Cart.checkout work", {}),
        ("how does Cart.tax_rate work", {}),
        ("how does request_dispatcher work", {}),
        ("how does Held.outer_thing work", {"Held.outer_thing": []}),
        ("how does Held.ring_up work", {}),
        ("how does shop/cart.py work", {}),
    ],
)
def test_a_name_that_is_not_there_is_said_with_those_near_it(question: str, missing: dict[str, list[str]]) -> None:
    found = rank(read_question(question), MemoryCorpus(FILES)).missing
    assert {each.name: [name for name, _, _ in each.near] for each in found} == missing


def test_what_is_near_is_not_taken_for_what_was_asked_for() -> None:
    ranked = rank(read_question("how does dispach_request work"), MemoryCorpus(FILES))
    assert not any(file.named for file in ranked.files)
