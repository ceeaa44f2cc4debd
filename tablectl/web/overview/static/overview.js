// Keeps the overview live: swaps the parts the server sends, counts the time that passes, says when it hears nothing.
"use strict";

const SILENCE_MS = 3000;
const AGAIN_MS = 1000;
const language = document.body.dataset.lang;
const tables = document.body.dataset.tables;
const lost = document.getElementById("lost");
const clock = document.getElementById("clock");
const lostSince = document.getElementById("lost-since");
const ownTitle = document.title;
let heardAt = performance.now();
// By how much the server's clock is ahead of this one's, in milliseconds; null before it said what time it is.
let aheadMs = null;
let isOld = false;
let lastCall = -1;
let lastHeard = -1;

function show() {
  const isLost = performance.now() - heardAt > SILENCE_MS || isOld;
  lost.hidden = !isLost;
  document.body.classList.toggle("stale", isLost);
  if (!isLost) lostSince.textContent = clock.textContent;
}

// As 0:42, 12:03 or 3:12:03: minutes and seconds, with hours before them.
function elapsed(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

function tick() {
  show();
  if (aheadMs === null || document.body.classList.contains("stale")) return;
  const now = Date.now() + aheadMs;
  for (const time of document.querySelectorAll("time[data-since]")) {
    const text = elapsed(now - Number(time.dataset.since));
    if (time.textContent !== text) time.textContent = text;
  }
}

// Calls that are new since this page was opened: marked, counted in the title of the window, and heard once each.
function calls() {
  const found = [...document.querySelectorAll("[data-call]")];
  const newest = Math.max(0, ...found.map((call) => Number(call.dataset.call)));
  if (lastCall < 0) lastCall = lastHeard = newest;
  if (newest > lastHeard) {
    lastHeard = newest;
    beep();
  }
  const fresh = found.filter((call) => Number(call.dataset.call) > lastCall);
  for (const call of fresh) call.classList.add("fresh");
  document.title = fresh.length ? `⚠ ${fresh.length} · ${ownTitle}` : ownTitle;
}

function swap(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    if (part) part.innerHTML = html;
  }
  calls();
  tick();
}

function follow() {
  const source = new EventSource(`/events?${new URLSearchParams({ lang: language, tables })}`);
  source.addEventListener("parts", (event) => {
    heardAt = performance.now();
    swap(JSON.parse(event.data));
  });
  source.addEventListener("beat", (event) => {
    const beat = JSON.parse(event.data);
    heardAt = performance.now();
    isOld = beat.old;
    aheadMs = beat.at - Date.now();
    clock.textContent = beat.clock;
    document.body.classList.add("followed");
    tick();
  });
  // The server lets nobody look for ever: the page asks again, with what its browser shows then.
  source.addEventListener("again", () => {
    source.close();
    follow();
  });
  source.addEventListener("reload", () => location.reload());
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) followAgain();
  };
}

// A stream that is refused does not say why. The page itself does, by where it leads.
async function followAgain() {
  try {
    const answer = await fetch(location.href, { redirect: "manual" });
    if (answer.type === "opaqueredirect") {
      location.reload();
      return;
    }
  } catch {
    // nobody there: the next try comes
  }
  setTimeout(follow, AGAIN_MS);
}

calls();
follow();
setInterval(tick, 500);
