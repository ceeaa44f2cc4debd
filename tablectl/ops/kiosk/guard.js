// Runs in every document before its own scripts. Nothing that lies behind a long touch, a right click or a shortcut of the
// browser is for the table; pages still hear their keys. A pointer that does not move is not shown.
(() => {
  const IDLE_MS = 3000;
  addEventListener("contextmenu", event => event.preventDefault(), true);
  addEventListener("keydown", event => {
    const edits = event.ctrlKey && !event.shiftKey && !event.altKey && "acvxz".includes(event.key);
    if (/^F[0-9]+$/.test(event.key) || ((event.ctrlKey || event.altKey || event.metaKey) && !edits)) event.preventDefault();
  }, true);

  addEventListener("DOMContentLoaded", () => {
    const hidden = new CSSStyleSheet();
    hidden.replaceSync("*{cursor:none!important}");
    const others = () => [...document.adoptedStyleSheets].filter(sheet => sheet !== hidden);
    const hide = () => { document.adoptedStyleSheets = [...others(), hidden]; };
    let idle = 0;
    addEventListener("mousemove", () => {
      clearTimeout(idle);
      document.adoptedStyleSheets = others();
      idle = setTimeout(hide, IDLE_MS);
    }, true);
    hide();
  });
})();
