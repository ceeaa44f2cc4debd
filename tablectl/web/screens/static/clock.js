// The clock of a page: the house's, by the time that the server said, and not by whatever this machine believes.
"use strict";

const CLOCK_TICK_MS = 1000;
// The server's time in milliseconds, and how long this page had been there when it was said.
let clockSaidMs = Number(document.body.dataset.now);
let clockSaidAt = performance.now();

function showClock() {
  const now = new Date(clockSaidMs + performance.now() - clockSaidAt);
  for (const clock of document.querySelectorAll("time.clock")) {
    const shown = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: clock.nextElementSibling.textContent }).format(now);
    if (clock.textContent !== shown) clock.textContent = shown;
  }
}

// What a live page is told with each beat: a machine that slept goes on with the right time.
function setClock(saidMs) {
  clockSaidMs = saidMs;
  clockSaidAt = performance.now();
  showClock();
}

showClock();
setInterval(showClock, CLOCK_TICK_MS);
