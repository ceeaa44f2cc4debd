// The pit boss's alarms: when it sounds (sound.js), the flashing title while somebody has to look, the shelf.
"use strict";

const EVERY_MS = 4000;
const FLASH_MS = 1000;
const ownTitle = document.title;
const knownAlarms = new Set();
let flashes = false;

function namesOf(attribute) {
  const found = [...document.querySelectorAll(`[${attribute}]`)];
  return found.flatMap((element) => element.getAttribute(attribute).split(" ").filter(Boolean));
}

function look() {
  const names = namesOf("data-unacknowledged");
  const isNew = names.some((name) => !knownAlarms.has(name));
  knownAlarms.clear();
  for (const name of names) knownAlarms.add(name);
  if (isNew) beep();
  flash();
  // Time ended the session: what somebody began to sign here, nobody signs any more.
  if (document.querySelector(".session-over")) for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

function flash() {
  flashes = knownAlarms.size > 0 && !flashes;
  document.title = flashes ? `⚠ ${knownAlarms.size} · ${ownTitle}` : ownTitle;
}

document.addEventListener("click", (event) => {
  const back = event.target.closest("[data-unshelve]");
  if (back) enter({ act: "unshelve", alarm: back.dataset.unshelve }, back);
  const gone = event.target.closest("[data-acknowledge-gone]");
  if (gone) enter({ act: "acknowledge-gone", alarms: gone.dataset.acknowledgeGone.split(" ") }, gone);
}, true);

document.addEventListener("submit", (event) => {
  const alarm = event.target.dataset.shelve;
  if (!alarm) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const fields = new FormData(event.target);
  enter({ act: "shelve", alarm, minutes: Number(fields.get("minutes")), reason: fields.get("reason") }, event.submitter);
}, true);

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.accept) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const entry = { page: "pit", act: "accept", seq: Number(form.dataset.seq), hash: form.dataset.accept, reason: form.elements.reason.value };
  if (form.dataset.two) window.askSecond(entry, event.submitter);
  else enter(entry, event.submitter);
}, true);

const watched = new MutationObserver(look);
for (const part of ["tilt", "alerts", "alarms_only"]) watched.observe(document.querySelector(`[data-part="${part}"]`), { childList: true });
look();
setInterval(flash, FLASH_MS);
setInterval(() => { if (namesOf("data-sounding").length > 0) beep(); }, EVERY_MS);
