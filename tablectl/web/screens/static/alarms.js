// The pit boss's alarms: the sound and the flashing title while somebody has to look, the shelf.
"use strict";

const EVERY_MS = 4000;
const FLASH_MS = 1000;
const KEPT_AS = "tablectl-sound";
const soundBox = document.getElementById("sound");
const soundSwitch = document.getElementById("sound-switch");
const soundHint = document.getElementById("sound-hint");
const ownTitle = document.title;
const knownAlarms = new Set();
let audio = null;
let flashes = false;
let isMissed = false;

function isMuted() {
  try {
    return localStorage.getItem(KEPT_AS) === "off";
  } catch {
    return false;
  }
}

function namesOf(attribute) {
  const found = [...document.querySelectorAll(`[${attribute}]`)];
  return found.flatMap((element) => element.getAttribute(attribute).split(" ").filter(Boolean));
}

// Two short tones, the second one lower: unlike anything that rings in a pit.
function beep() {
  isMissed = audio?.state !== "running"; // what calls only once is heard as soon as the browser allows it
  if (isMuted() || isMissed) return;
  for (const [index, hertz] of [880, 660].entries()) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + index * 0.22;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.35, from + 0.02);
    volume.gain.linearRampToValueAtTime(0, from + 0.18);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.2);
  }
}

function showSound() {
  const on = !isMuted();
  soundSwitch.setAttribute("aria-pressed", String(on));
  soundSwitch.querySelector(".is").textContent = on ? soundBox.dataset.on : soundBox.dataset.off;
  soundHint.hidden = !on || audio?.state === "running";
}

// Browsers let a page sound only after somebody has touched it.
async function wake() {
  if (!("AudioContext" in window)) return;
  if (!audio) {
    audio = new AudioContext();
    audio.addEventListener("statechange", () => {
      showSound();
      if (isMissed) beep();
    });
  }
  if (audio.state !== "running") await audio.resume();
  showSound();
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
}, true);

document.addEventListener("submit", (event) => {
  const alarm = event.target.dataset.shelve;
  if (!alarm) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const fields = new FormData(event.target);
  enter({ act: "shelve", alarm, minutes: Number(fields.get("minutes")), reason: fields.get("reason") }, event.submitter);
}, true);

soundSwitch.addEventListener("click", () => {
  try {
    localStorage.setItem(KEPT_AS, isMuted() ? "on" : "off");
  } catch {
    // A browser that keeps nothing sounds until it is closed.
  }
  showSound();
});
// Not at the press itself: the hint goes then, and what is pressed would move away under the finger.
for (const gesture of ["click", "keydown"]) document.addEventListener(gesture, wake);

soundBox.hidden = false;
if ("AudioContext" in window) {
  showSound();
  wake(); // where the browser lets it: it may know this table's pages
} else {
  soundSwitch.hidden = true;
  document.getElementById("sound-none").hidden = false;
}
const watched = new MutationObserver(look);
for (const part of ["tilt", "alerts", "alarms_only"]) watched.observe(document.querySelector(`[data-part="${part}"]`), { childList: true });
look();
setInterval(flash, FLASH_MS);
setInterval(() => { if (namesOf("data-sounding").length > 0) beep(); }, EVERY_MS);
