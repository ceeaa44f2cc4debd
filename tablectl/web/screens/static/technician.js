// The technician's pages: a deck that is enrolled card by card, and lamps and keys that are tried.
"use strict";

(() => {
  const sheet = document.querySelector("main.tech");
  if (!sheet) return;
  const LOOK_MS = 300;
  const SIGNS = { s: "♠", h: "♥", c: "♣", d: "♦" };
  const outcome = document.getElementById("outcome");
  const { noAnswer } = sheet.dataset;

  function post(path, said) {
    const headers = { "Content-Type": "application/json" };
    const token = document.querySelector('meta[name="csrf"]')?.content;
    if (token) headers["X-Tablectl"] = token;
    return fetch(path, { method: "POST", headers, body: JSON.stringify(said) });
  }

  // Sentences stand in the page, in its languages; a program's own words after them.
  function tell(element, what, detail = "") {
    const sentence = sheet.querySelector(`.sentences [data-what="${what}"]`);
    element.replaceChildren(...(sentence ? [...sentence.childNodes].map((node) => node.cloneNode(true)) : []));
    if (detail) element.append(" ", Object.assign(document.createElement("code"), { textContent: detail }));
  }

  // --- decks ---------------------------------------------------------------------------------------------------------

  const form = document.getElementById("enrol");
  const WRONG = new Set(["again", "of-another-deck", "two"]);

  function shownCard(code) {
    const card = document.getElementById("due-card");
    card.textContent = code ? code[0].replace("T", "10") + SIGNS[code[1]] : "✓";
    card.classList.toggle("is-red", "hd".includes(code?.[1] ?? "-"));
  }

  function progress(line) {
    document.getElementById("progress").value = line.done;
    document.getElementById("done").textContent = line.done;
    const cards = [...document.querySelectorAll(".pack li")];
    const due = cards.findIndex((card) => card.dataset.card === line.due);
    cards.forEach((card, index) => {
      card.classList.toggle("is-done", due < 0 || index < due);
      card.classList.toggle("is-due", index === due);
    });
    if (line.what === "ask") shownCard(line.due);
    if (!line.due) shownCard("");
    if (line.what === "how") return;
    outcome.classList.toggle("is-wrong", WRONG.has(line.what));
    tell(outcome, line.what);
  }

  function ended(line) {
    const end = document.getElementById("end");
    document.getElementById("going-on").hidden = true;
    end.hidden = false;
    if (line.ok) tell(end, "done");
    else tell(end, "failed", line.why === "no-answer" ? noAnswer : line.error);
    form.querySelector("button").disabled = false;
    if (line.ok) setTimeout(() => location.reload(), 2500);
  }

  async function enrol() {
    const fields = new FormData(form);
    form.querySelector("button").disabled = true;
    document.getElementById("end").hidden = true;
    outcome.replaceChildren();
    try {
      const answer = await post("/technician/enrolment", { deck: fields.get("deck"), reader: fields.get("reader") });
      if (!answer.ok) return ended({ ok: false, error: (await answer.json()).error });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines.map((text) => JSON.parse(text))) {
          if ("ok" in line) return ended(line);
          document.getElementById("going-on").hidden = false;
          progress(line);
        }
      }
    } catch { /* the line broke: as below */ }
    return ended({ ok: false, why: "no-answer" });
  }

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    enrol();
  });
  for (const button of sheet.querySelectorAll("[data-say]")) {
    button.addEventListener("click", () => post("/technician/enrolment/say", { what: button.dataset.say }).catch(() => {}));
  }

  // --- lamps and keys ------------------------------------------------------------------------------------------------

  let wasOn = false;

  function shownTest({ test }) {
    const state = document.getElementById("test-state");
    state.textContent = test ? `${state.dataset[test.what]} · ${test.by} · ${test.left_s} s` : state.dataset.none;
    for (const signal of sheet.querySelectorAll(".signals li")) signal.classList.toggle("is-shown", test?.signal === signal.dataset.signal && test?.what === "lamps");
    const unknown = document.getElementById("unknown-keys");
    const strange = [];
    const pressed = new Map((test?.pressed ?? []).map((key) => [`${key.device} ${key.number}`, key]));
    for (const key of sheet.querySelectorAll(".panel-keys li")) {
      const name = `${key.dataset.device} ${key.dataset.number}`;
      const at = pressed.get(name);
      pressed.delete(name);
      key.classList.toggle("is-lit", Boolean(test?.lit.includes(key.dataset.key)));
      key.classList.toggle("is-down", Boolean(at?.down));
      key.classList.toggle("is-pressed", Boolean(at?.times));
      key.querySelector(".times").textContent = at?.times ? `✓ ${at.times}×` : "";
    }
    for (const name of pressed.keys()) strange.push(name);
    if (unknown) {
      unknown.hidden = strange.length === 0;
      unknown.textContent = `${unknown.dataset.text}: ${strange.join(", ")}`;
    }
    if (wasOn && !test) tell(outcome, "ended");
    wasOn = Boolean(test);
  }

  async function look() {
    try {
      const told = await (await fetch("/technician/test")).json();
      if (told.ok) shownTest(told);
      else document.getElementById("test-state").textContent = noAnswer;
    } catch {
      document.getElementById("test-state").textContent = noAnswer;
    }
    setTimeout(look, LOOK_MS);
  }

  for (const button of sheet.querySelectorAll("[data-test]")) {
    button.addEventListener("click", async () => {
      try {
        const reply = await (await post("/technician/test/begin", { what: button.dataset.test })).json();
        outcome.classList.toggle("is-wrong", !reply.ok);
        if (!reply.ok) tell(outcome, "refused");
        else if (button.dataset.test !== "over") tell(outcome, "began");
      } catch {
        outcome.textContent = noAnswer;
      }
    });
  }
  if (document.getElementById("test-state")) look();
})();
