const ACTS = ["keydown", "pointerdown", "pointerup", "click", "input", "wheel"];
const MOVES = ["scroll", "resize", "load", "transitionend"];

type Handlers = {
  /** Something may have moved. */
  onChange: () => void;
  /** The person comes back to this window. */
  onReturn: () => void;
};

export type PageWatch = {
  /** Whether the person has done something within the last two frames: what moves now does so because of them. */
  hasActed: () => boolean;
  stop: () => void;
};

/** Watches everything that can move an element of the page. */
export function watchPage(element: Element | null, { onChange, onReturn }: Handlers): PageWatch {
  let frame = 0;
  let framesLeft = 0;
  const look = () => {
    frame = 0;
    onChange();
    if (framesLeft > 0) framesLeft -= 1;
    if (framesLeft > 0) lookSoon();
  };
  const lookSoon = () => {
    frame ||= requestAnimationFrame(look);
  };
  const act = () => {
    // What moved before is not their doing.
    onChange();
    framesLeft = 2;
    lookSoon();
  };
  const mutations = new MutationObserver(lookSoon);
  mutations.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  const sizes = new ResizeObserver(lookSoon);
  for (let each = element; each; each = each.parentElement) sizes.observe(each);
  const listening = new AbortController();
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const event of ACTS) window.addEventListener(event, act, options);
  for (const event of MOVES) window.addEventListener(event, lookSoon, options);
  window.addEventListener("focus", ({ target }) => target === window && onReturn(), options);
  lookSoon();
  return {
    hasActed: () => framesLeft > 0,
    stop: () => {
      cancelAnimationFrame(frame);
      mutations.disconnect();
      sizes.disconnect();
      listening.abort();
    },
  };
}
