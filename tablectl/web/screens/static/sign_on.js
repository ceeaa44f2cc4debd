// The PIN pad under fingers, and the badge at the table's reader. Without this script the same form is typed into.
"use strict";

const pinForm = document.querySelector("[data-pin-form]");
const pin = document.getElementById("pin");
const AGAIN_MS = 1000;

pinForm?.addEventListener("click", (event) => {
  const key = event.target.closest("[data-digit]");
  if (!key || !pin) return;
  const { digit } = key.dataset;
  pin.value = digit === "" ? pin.value.slice(0, -1) : (pin.value + digit).slice(0, pin.maxLength);
});

// Whoever chose a name goes on with the digits.
pinForm?.addEventListener("change", (event) => {
  if (event.target.name === "name" && matchMedia("(hover: hover)").matches) pin.focus();
});

// This page stands open at a table where nobody is signed on: what it says of a tilt follows, unless somebody is typing.
function isOutOfDate(tilted) {
  const typed = [...document.querySelectorAll("input:not([type=hidden], [type=radio])")].some((input) => input.value);
  return !typed && tilted !== (document.querySelector("[data-tilt]") !== null);
}

async function awaitBadge() {
  const says = document.getElementById("badge-says");
  try {
    const answer = await fetch(`/sign-on/badge?lang=${language}`, { method: "POST" });
    const reply = await answer.json();
    if (reply.badge) {
      says.textContent = (reply.says.length ? reply.says : [document.getElementById("badge").dataset.seen]).join(" / ");
      setTimeout(() => location.assign(reply.next), reply.says.length ? 3000 : 0);
      return;
    }
    if (reply.ok && isOutOfDate(reply.tilted)) {
      location.assign(location.pathname + location.search);
      return;
    }
    if (!reply.ok) says.textContent = (reply.says ?? [reply.error]).join(" / ");
    setTimeout(awaitBadge, reply.ok ? 0 : AGAIN_MS);
  } catch {
    setTimeout(awaitBadge, AGAIN_MS);
  }
}

// Who came from the alarms and left this page alone: it is silent, so it goes back to where they sound.
const BACK_MS = 60000;
let backTimer = 0;

function goBackLater() {
  clearTimeout(backTimer);
  backTimer = setTimeout(() => location.assign("/pit"), BACK_MS);
}

if (document.querySelector("[data-alarms]")) {
  for (const kind of ["pointerdown", "keydown", "input"]) document.addEventListener(kind, goBackLater);
  goBackLater();
}

if (pinForm) awaitBadge();
