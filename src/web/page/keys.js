// The keyboard: a letter for each button, a digit for each tab.

import { goToTab } from "./tabs.js";

/** A letter is the same with Shift; an arrow is not. */
const letter = (actions, key) => (key.length === 1 ? actions[key] : undefined);

/** `actions` holds the action of each key, which applies once `isReady()`. */
export function wireKeys(actions, isReady) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !isReady()) return;
    if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
    // These keys choose among tabs there.
    if (/^(Arrow|Home$|End$)/.test(event.key) && event.target.matches("[role=tab]")) return;
    const key = event.key.toLowerCase();
    const action = /^[1-4]$/.test(key) ? () => goToTab(key - 1) : actions[event.shiftKey ? `shift+${key}` : key] ?? letter(actions, key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
