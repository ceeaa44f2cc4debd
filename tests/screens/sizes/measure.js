// What is wrong with the page of a window at its size. Given what has to be legible and what has to be seen without a
// scroll; gives a list of findings.
(view, rules) => {
  const TOLERANCE_PX = 2;
  const found = [];
  const { document, innerWidth: wide, innerHeight: high } = view;
  const style = new Map();
  const styleOf = (element) => {
    if (!style.has(element)) style.set(element, view.getComputedStyle(element));
    return style.get(element);
  };
  const nameOf = (element) => {
    const marks = Object.entries(element.dataset ?? {}).slice(0, 2).map(([key, value]) => `[${key}=${value}]`).join("");
    const classes = [...(element.classList ?? [])].map((name) => `.${name}`).join("");
    const own = `${element.tagName.toLowerCase()}${classes}${marks}`;
    const parent = element.parentElement;
    const above = parent && parent !== document.body ? `${parent.tagName.toLowerCase()}${[...parent.classList].map((name) => `.${name}`).join("")}>` : "";
    return above + own;
  };
  const tell = (kind, element, more) => found.push({ kind, where: nameOf(element), more: String(more ?? "").replace(/\s+/g, " ").trim().slice(0, 90) });

  // --- what is shown at all ---------------------------------------------------------------------------------------------
  const hiddenFromEyes = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const its = styleOf(at);
      if (its.clipPath !== "none" || its.opacity === "0") return true;
    }
    return !element.checkVisibility({ visibilityProperty: true });
  };
  const isOver = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (["fixed", "sticky"].includes(styleOf(at).position)) return true;
    }
    return false;
  };

  // --- what cuts a rectangle off ----------------------------------------------------------------------------------------
  const root = styleOf(document.documentElement), body = styleOf(document.body);
  const ofView = (axis) => (root[axis] !== "visible" ? root[axis] : body[axis]);
  const clippersOf = new Map();
  const clippers = (element) => {
    if (clippersOf.has(element)) return clippersOf.get(element);
    const list = [];
    let position = styleOf(element).position;
    for (let at = element; at && at !== document.body && at !== document.documentElement; at = at.parentElement) {
      const its = styleOf(at);
      if (at !== element) {
        if (position === "fixed") break;
        if (position === "absolute" && its.position === "static") continue;
        position = its.position;
      }
      if (its.overflowX !== "visible" || its.overflowY !== "visible") {
        const box = at.getBoundingClientRect();
        list.push({
          element: at,
          x: its.overflowX,
          y: its.overflowY,
          left: box.left + at.clientLeft,
          top: box.top + at.clientTop,
          right: box.left + at.clientLeft + at.clientWidth,
          bottom: box.top + at.clientTop + at.clientHeight,
        });
      }
    }
    clippersOf.set(element, list);
    return list;
  };
  const cuts = (overflow) => overflow === "hidden" || overflow === "clip";
  // What is left of a rectangle, what cuts it (null: nothing), and whether somebody has to scroll for it.
  const left = (rect, element) => {
    const box = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
    let cut = null, scrolled = false;
    for (const by of clippers(element)) {
      if (box.right <= box.left || box.bottom <= box.top) break;
      const sideways = box.left < by.left - TOLERANCE_PX || box.right > by.right + TOLERANCE_PX;
      const upright = box.top < by.top - TOLERANCE_PX || box.bottom > by.bottom + TOLERANCE_PX;
      if (sideways && (cuts(by.x) || (by.x !== "visible" && !by.element.matches(rules.scrollsSideways)))) cut ??= by.element;
      if (upright && cuts(by.y)) cut ??= by.element;
      if ((upright && !cuts(by.y) && by.y !== "visible") || (sideways && by.element.matches(rules.scrollsSideways))) scrolled = true;
      if (by.x !== "visible") [box.left, box.right] = [Math.max(box.left, by.left), Math.min(box.right, by.right)];
      if (by.y !== "visible") [box.top, box.bottom] = [Math.max(box.top, by.top), Math.min(box.bottom, by.bottom)];
    }
    if (!scrolled && !cut) {
      if (cuts(ofView("overflowX")) && (box.left < -TOLERANCE_PX || box.right > wide + TOLERANCE_PX)) cut = document.body;
      if (cuts(ofView("overflowY")) && (box.top < -TOLERANCE_PX || box.bottom > high + TOLERANCE_PX)) cut = document.body;
    }
    return { ...box, cut, scrolled };
  };

  // --- the page ---------------------------------------------------------------------------------------------------------
  const page = document.scrollingElement;
  if (page.scrollWidth > wide + 1) {
    let widest = document.body, right = 0;
    for (const element of document.body.querySelectorAll("*")) {
      const box = element.getBoundingClientRect();
      if (box.right > right && !clippers(element).some((by) => by.element !== element)) [widest, right] = [element, box.right];
    }
    tell("wide", widest, `${page.scrollWidth} px`);
  }

  // --- text -------------------------------------------------------------------------------------------------------------
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const seenCuts = new Set();
  while (walker.nextNode()) {
    const text = walker.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest("script, style, noscript, template, option, title, defs") || hiddenFromEyes(element)) continue;
    const inFelt = element.closest("svg");
    const size = parseFloat(styleOf(element).fontSize) * (inFelt ? element.getScreenCTM().a : 1);
    const legible = rules.legible.find((rule) => element.closest(rule.what) || (rule.money && /\d[\s\u00a0]*[€$£¤]|[€$£¤][\s\u00a0]*\d/.test(text.data)));
    if (legible && !element.closest(rules.besides) && size < legible.px - 0.3) tell("illegible", element, `${size.toFixed(1)} < ${legible.px.toFixed(1)} px: ${text.data}`);
    if (inFelt) continue;
    // Of a text that ends in three dots only what is left has a rectangle.
    if (styleOf(element).textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + TOLERANCE_PX) tell("clipped", element, text.data);
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1) continue;
      // The box of a line is higher than its letters.
      const letters = { left: rect.left, right: rect.right, top: rect.top + 0.2 * size, bottom: rect.bottom - 0.2 * size };
      const shown = left(letters, element);
      if (shown.cut && !seenCuts.has(text)) {
        seenCuts.add(text);
        tell("clipped", element, `by ${nameOf(shown.cut)}: ${text.data}`);
      }
      if (shown.right - shown.left > TOLERANCE_PX && shown.bottom - shown.top > TOLERANCE_PX) lines.push({ ...shown, element, text: text.data });
    }
  }

  // --- what is touched --------------------------------------------------------------------------------------------------
  const targets = [];
  for (const element of document.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    if (element.type === "hidden" || element.closest("svg")) continue;
    const isChoice = element.matches("[type=radio], [type=checkbox]");
    const hit = (isChoice && element.closest("label")) || element;
    if (hiddenFromEyes(hit) || !hit.checkVisibility()) continue;
    const rects = [...hit.getClientRects()];
    if (!rects.length) continue;
    const inText = hit.matches("a") && styleOf(hit).display.startsWith("inline") && hit.parentElement.textContent.trim() !== hit.textContent.trim();
    const box = hit.getBoundingClientRect();
    if (!inText && Math.min(box.width, box.height) < rules.target - 0.5) tell("small", hit, `${box.width.toFixed(0)}x${box.height.toFixed(0)} px ${hit.textContent}`);
    if (inText) continue;
    const shown = left(box, hit.parentElement);
    if (shown.cut) tell("clipped", hit, `by ${nameOf(shown.cut)}: ${hit.textContent}`);
    if (shown.right > shown.left && shown.bottom > shown.top) targets.push({ ...shown, element: hit, text: hit.textContent });
  }

  // --- what lies on one another -----------------------------------------------------------------------------------------
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > TOLERANCE_PX &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > TOLERANCE_PX;
  // Cards are laid on the places of the training table.
  const boxes = [...lines, ...targets].filter(({ element }) => !isOver(element) && !element.matches(".ground")).sort((one, other) => one.top - other.top);
  for (let first = 0; first < boxes.length; first += 1) {
    for (let second = first + 1; second < boxes.length && boxes[second].top < boxes[first].bottom; second += 1) {
      const [one, other] = [boxes[first], boxes[second]];
      if (one.element.contains(other.element) || other.element.contains(one.element) || !meet(one, other)) continue;
      tell("overlap", one.element, `${one.text} / ${nameOf(other.element)}: ${other.text}`);
    }
  }

  // --- what has to be seen without a scroll -----------------------------------------------------------------------------
  for (const what of rules.seen) {
    for (const element of document.querySelectorAll(what)) {
      if (hiddenFromEyes(element)) continue;
      const rect = element.getBoundingClientRect();
      if (!rect.height) continue;
      const shown = left(rect, element);
      const isSeen = !shown.cut && !shown.scrolled && rect.top >= -TOLERANCE_PX && rect.bottom <= high + TOLERANCE_PX && rect.left >= -TOLERANCE_PX && rect.right <= wide + TOLERANCE_PX;
      if (!isSeen) tell("unseen", element, element.textContent);
    }
  }
  return found;
}
