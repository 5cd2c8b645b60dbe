"""Which file an import can mean, in the ways that languages write one."""

from __future__ import annotations

import pytest

from explore.calls.resolve import leads_to

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
