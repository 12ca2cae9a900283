// Toasts go by themselves after a while, never while they are touched, pointed at or focused.
const LEAST = 8;

export function startToasts(container) {
  const watch = (toast) => {
    const seconds = Math.max(LEAST, Number(toast.dataset.toast) || LEAST);
    let timer;
    const leave = () => {
      clearTimeout(timer);
      timer = setTimeout(() => toast.remove(), seconds * 1000);
    };
    const stay = () => clearTimeout(timer);
    for (const name of ["pointerenter", "focusin", "touchstart"]) {
      toast.addEventListener(name, stay, { passive: true });
    }
    for (const name of ["pointerleave", "focusout", "touchend"]) toast.addEventListener(name, leave);
    toast.querySelector("[data-toast-close]")?.addEventListener("click", () => toast.remove());
    leave();
  };
  container.querySelectorAll("[data-toast]").forEach(watch);
  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const node of change.addedNodes) if (node.matches?.("[data-toast]")) watch(node);
    }
  }).observe(container, { childList: true });
}

// A toast made in the page, for what happens without a server ("Saved here, not sent yet").
export function toast(text, closeLabel) {
  const container = document.getElementById("toasts");
  const box = Object.assign(document.createElement("div"), { className: "toast" });
  box.dataset.toast = "10";
  box.append(Object.assign(document.createElement("p"), { textContent: text }));
  if (closeLabel) {
    const button = Object.assign(document.createElement("button"), { className: "button", type: "button", textContent: closeLabel });
    button.dataset.toastClose = "";
    box.append(button);
  }
  container.append(box);
}
