"""Pages can be put on a phone: the manifest that a browser reads, its icons, and that nothing old is kept."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from tests.screens.conftest import Screens
from tests.screens.signed_on import cookies

STATIC = Path(str(files("tablectl.web.screens").joinpath("static")))


def manifest(screens: Screens, query: str) -> dict[str, Any]:
    answer = httpx2.get(f"{screens.url}/manifest.webmanifest?{query}", verify=False)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/manifest+json"
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("page", ["croupier", "pit", "technician"])
def test_each_role_installs_its_own_page(screens: Screens, page: str) -> None:
    found = manifest(screens, f"page={page}&lang=en")
    assert (found["id"], found["start_url"], found["scope"]) == (f"/{page}", f"/{page}", "/")
    assert found["display"] == "standalone"
    assert found["lang"] == "en"


def test_whatever_else_is_asked_for_the_first_page_is_installed(screens: Screens) -> None:
    assert manifest(screens, "page=../etc&lang=es")["start_url"] == "/"


def test_the_page_names_its_manifest_and_no_script_keeps_pages(screens: Screens) -> None:
    answer = httpx2.get(f"{screens.url}/pit?lang=es", cookies=cookies("pit-boss"), verify=False)
    assert '<link rel="manifest" href="/manifest.webmanifest?page=pit&amp;lang=es">' in answer.text
    scripts = [path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")]
    assert scripts
    assert not [script for script in scripts if "serviceWorker" in script or "caches." in script]


def test_every_icon_is_there_and_as_large_as_it_is_said_to_be(screens: Screens) -> None:
    for icon in manifest(screens, "page=pit&lang=es")["icons"]:
        path = STATIC / icon["src"].removeprefix("/static/")
        assert path.exists()
        if icon["type"] == "image/png":
            with Image.open(path) as picture:
                assert "x".join(map(str, picture.size)) == icon["sizes"]
