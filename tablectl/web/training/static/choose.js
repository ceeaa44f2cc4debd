// The choice of exercises, and the result: each button asks for one thing and goes where the answer says.
"use strict";

const language = document.body.dataset.lang;
const said = document.getElementById("said");

async function ask(what, body) {
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  try {
    const answer = await fetch(`/training/${what}?lang=${language}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const reply = await answer.json();
    if (reply.ok) {
      location.assign(reply.go);
      return;
    }
    said.replaceChildren(...(reply.says ?? [reply.error]).map((text) => Object.assign(document.createElement("span"), { textContent: text })));
    said.hidden = false;
  } finally {
    for (const button of document.querySelectorAll("button")) button.disabled = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-begin]");
  if (button) ask("begin", { exercise: button.dataset.begin });
});

document.getElementById("who")?.addEventListener("submit", (event) => {
  event.preventDefault();
  ask("name", { name: document.getElementById("trainee").value });
});
