// The sound of a page: two tones, a switch that is remembered, and what to do where the browser allows none yet.
"use strict";

const KEPT_AS = "tablectl-sound";
const soundBox = document.getElementById("sound");
const soundSwitch = document.getElementById("sound-switch");
const soundHint = document.getElementById("sound-hint");
let audio = null;
let isMissed = false;

function isMuted() {
  try {
    return localStorage.getItem(KEPT_AS) === "off";
  } catch {
    return false;
  }
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
