// The keyboard: a letter for what a button does, a digit for a tab.

import { goToTab } from "./tabs.js";

/** `actions` has what is done at each key, once `isReady()`. */
export function wireKeys(actions, isReady) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !isReady()) return;
    if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
    const action = /^[1-4]$/.test(event.key) ? () => goToTab(event.key - 1) : actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
