// The theme switch: as the device, dark, light. Kept in a cookie, so the server draws it at once.
const YEAR = 60 * 60 * 24 * 365;
const ORDER = ["auto", "dark", "light"];

export function currentTheme() {
  return document.documentElement.dataset.theme ?? "auto";
}

export function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `theme=${theme}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}

export function startTheme(root) {
  for (const button of root.querySelectorAll("[data-theme-switch]")) {
    const show = () => {
      button.querySelector("[data-theme-name]").textContent = button.dataset[currentTheme()];
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      setTheme(ORDER[(ORDER.indexOf(currentTheme()) + 1) % ORDER.length]);
      show();
    });
    show();
  }
}
