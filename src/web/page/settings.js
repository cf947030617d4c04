// Settings are stored in the browser; without its permission they last as long as the page.

export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
