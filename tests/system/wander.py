"""Runs inside a table PC, as the croupier's screen's user: a second browser like the one on the screen, sent to each
address of the command line. Says for each why the browser did not go there, or `went`.

`/opt/tablectl/bin/python3 -I wander.py FOLDER ADDRESS…`
"""

from __future__ import annotations

import sys
from pathlib import Path

from tablectl.ops.kiosk.browser import Browser, Message, command
from tablectl.ops.kiosk.place import Place

WAIT_S = 1.0


def answer(browser: Browser, has: str) -> Message:
    """The next answer that has such a result."""
    while True:
        for said in browser.heard(WAIT_S):
            if has in said.get("result", {}):
                found: Message = said["result"]
                return found


def main(folder: Path, addresses: list[str]) -> None:
    """One line an address."""
    place = Place(host="127.0.0.1", port=8420, languages=("es", "en"))
    browser = Browser(command(place, folder, more=("--headless", "--ozone-platform=headless")))
    browser.tell("Target.createTarget", {"url": "about:blank"})
    target = answer(browser, "targetId")["targetId"]
    browser.tell("Target.attachToTarget", {"targetId": target, "flatten": True})
    session = answer(browser, "sessionId")["sessionId"]
    for address in addresses:
        browser.tell("Page.navigate", {"url": address}, session=session)
        sys.stdout.write(f"{address} {answer(browser, 'frameId').get('errorText', 'went')}\n")
    browser.end()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
