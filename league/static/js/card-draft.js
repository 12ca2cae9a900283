// A captain's card in a pub without a signal: what is typed stays on the phone, and goes out once
// there is a network. The draft is of one match as it was when the page came; another is dropped.
(() => {
  const form = document.querySelector("form[data-kept]");
  if (!form) return;
  const key = `card:${form.dataset.kept}`;
  const revision = form.dataset.revision;
  const said = (name, shown) => { document.querySelector(`[data-kept-${name}]`).hidden = !shown; };
  const fields = () => [...form.elements].filter((field) => field.name && field.name !== "csrfmiddlewaretoken");
  const value = (field) => (field.type === "checkbox" ? field.checked : field.value);

  const keep = () => {
    const typed = Object.fromEntries(fields().map((field) => [field.name, value(field)]));
    try { localStorage.setItem(key, JSON.stringify({ revision, typed })); } catch { /* full, or private */ }
  };

  const restore = () => {
    let draft = null;
    try { draft = JSON.parse(localStorage.getItem(key)); } catch { draft = null; }
    if (!draft || draft.revision !== revision) { localStorage.removeItem(key); return; }
    for (const field of fields()) {
      if (!(field.name in draft.typed)) continue;
      if (field.type === "checkbox") field.checked = draft.typed[field.name];
      else field.value = draft.typed[field.name];
    }
    said("restored", true);
  };

  const reachable = async () => {
    try { return (await fetch(form.dataset.probe, { method: "HEAD", cache: "no-store" })).status < 500; } catch { return false; }
  };

  let waits = false;
  const send = async () => {
    if (!(await reachable())) { waits = true; said("waiting", true); return; }
    waits = false;
    form.submit();
  };

  if ("drawn" in form.dataset) keep();
  else if (!form.querySelector(".error-summary")) restore();
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.hasAttribute("formaction")) return;
    event.preventDefault();
    keep();
    send();
  });
  const again = () => { if (waits) send(); };
  window.addEventListener("online", again);
  setInterval(again, 15000);
})();
