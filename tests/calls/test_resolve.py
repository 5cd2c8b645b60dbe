"""Which symbol a name means: the nearest place that has it decides, and a place that has two decides nothing."""

from __future__ import annotations

import pytest

from explore.calls.resolve import Candidate, leads_to, resolve

CASES = [
    pytest.param("a.py", "", "", None, id="nobody has the name"),
    pytest.param("a.py", "z/b.py", "", "z/b.py", id="only one has it"),
    pytest.param("a.py", "a.py z/b.py", "z.b", "a.py", id="the file itself before what it imports"),
    pytest.param("p/a.py", "p/c.py z/b.py", "z.b", "z/b.py", id="an imported module before the package"),
    pytest.param("p/a.py", "p/c.py z/b.py y/b.py", "", "p/c.py", id="the package before everything"),
    pytest.param("a.py", "y/b.py z/b.py", "", None, id="two somewhere are open"),
    pytest.param("a.py", "a.py a.py b.py", "", None, id="two in the file are open"),
    pytest.param("p/a.py", "p/b.py p/c.py z/d.py", "", None, id="two in the package are open"),
    pytest.param("a.py", "y/b.py z/b.py", "y.b z.b", None, id="two in imported modules are open"),
    pytest.param("p/a.py", "p/b.py z/d.py", "nowhere", "p/b.py", id="an import of a stranger changes nothing"),
    pytest.param("p/a.py", "p/q/b.py y/b.py", "", None, id="a folder below is no package of one's own"),
]


@pytest.mark.parametrize(("user", "candidates", "modules", "meant"), CASES)
def test_the_nearest_place_decides(user: str, candidates: str, modules: str, meant: str | None) -> None:
    found = resolve(user, [Candidate(path, n) for n, path in enumerate(candidates.split())], modules.split())
    assert (found.path if found else None) == meant


LEADS = [
    ("pkg.mod", "a.py", "pkg/mod.py", True),
    ("pkg.mod", "a.py", "src/pkg/mod.py", True),
    ("pkg.mod", "a.py", "other_pkg/mod.py", False),
    ("pkg", "a.py", "pkg/__init__.py", True),
    (".mod", "p/a.py", "p/mod.py", True),
    (".mod", "p/a.py", "q/mod.py", False),
    (".", "p/a.py", "p/__init__.py", True),
    ("..mod", "p/q/a.py", "p/mod.py", True),
    ("..mod", "p/q/a.py", "p/q/mod.py", False),
    ("./mod", "src/a.ts", "src/mod.ts", True),
    ("./mod.js", "src/a.ts", "src/mod.ts", True),
    ("./mod", "src/a.ts", "src/mod/index.ts", True),
    ("../mod", "src/x/a.ts", "src/mod.tsx", True),
    ("./mod", "src/a.ts", "lib/mod.ts", False),
    ("lodash", "src/a.ts", "src/a.ts", False),
    ("example.com/shop/internal/cart", "main.go", "internal/cart/cart.go", True),
    ("fmt", "main.go", "internal/cart/cart.go", False),
    ("com.shop.Cart", "Main.java", "src/main/java/com/shop/Cart.java", True),
    ("com.shop.Cart", "Main.java", "src/main/java/com/shop/Carts.java", False),
    ("crate::store::file", "src/main.rs", "src/store/file.rs", True),
    ("crate::store", "src/main.rs", "src/store/mod.rs", True),
    ("ring.h", "src/ring.c", "src/ring.h", True),
    ("ring.h", "src/ring.c", "lib/ring.h", False),
    ("core/ring.h", "src/ring.c", "include/core/ring.h", True),
    ("", "a.py", "b.py", False),
]


@pytest.mark.parametrize(("module", "user", "path", "leads"), LEADS)
def test_an_import_leads_to_a_file(module: str, user: str, path: str, leads: bool) -> None:
    assert leads_to(module, user, path) is leads
