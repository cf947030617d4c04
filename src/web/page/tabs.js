// The tabs beside the board.

const tabs = [...document.querySelectorAll("[role=tab]")];

function open(tab) {
  for (const other of tabs) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", String(isChosen));
    other.tabIndex = isChosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
}

/** Opens the tab with this index, from 0, and gives it the focus. */
export function goToTab(index) {
  open(tabs[index]);
  tabs[index].focus();
}

export function wireTabs() {
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) goToTab((index + step + tabs.length) % tabs.length);
    });
  });
}
