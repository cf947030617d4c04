// Settings last as long as the browser keeps them; without its permission, as long as the page.

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
