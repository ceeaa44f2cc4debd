// A recalled hand by keys and by touch: both press the links that are there.
"use strict";

const SWIPE_PX = 40;
const WAYS = { ArrowRight: "card-next", ArrowLeft: "card-previous", Home: "first", End: "last" };
const SHIFT_WAYS = { ArrowRight: "next", ArrowLeft: "previous" };
const picture = document.querySelector(".recall .felt");
let from = null;

function goTo(way) {
  document.querySelector(`.steps-nav a[rel="${way}"]`)?.click();
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const way = (event.shiftKey ? SHIFT_WAYS : WAYS)[event.key];
  if (!way) return;
  event.preventDefault();
  goTo(way);
});

picture.addEventListener("pointerdown", (event) => {
  from = { x: event.clientX, y: event.clientY };
});
picture.addEventListener("pointerup", (event) => {
  if (!from) return;
  const [x, y] = [event.clientX - from.x, event.clientY - from.y];
  from = null;
  if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 1.5 * Math.abs(y)) goTo(x < 0 ? "card-next" : "card-previous");
});
picture.addEventListener("pointercancel", () => { from = null; });
