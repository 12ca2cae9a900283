// What this device alone remembers. A private window may keep nothing: then it holds while the page is open.
const held = new Map();

export function remember(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // said above
  }
}

export function remembered(name) {
  if (held.has(name)) return held.get(name);
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}
