// A form that leads to another page: without the network the browser would show a page of its own
// in the place of what was written. `data-unsent` holds what to say instead.
const PATIENCE = 12000; // milliseconds until a silent server counts as gone

async function onSubmit(event) {
  const form = event.target;
  if (!form.dataset.unsent || form.dataset.reached) return;
  event.preventDefault();
  form.nextElementSibling?.matches("[data-not-sent]") && form.nextElementSibling.remove();
  const way = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
  if (await fetch(location.href, way).catch(() => null)) {
    form.dataset.reached = "yes";
    return form.requestSubmit(event.submitter);
  }
  const notice = Object.assign(document.createElement("p"), { className: "notice bad", textContent: form.dataset.unsent });
  notice.role = "alert";
  notice.dataset.notSent = "";
  form.after(notice);
  notice.scrollIntoView({ block: "center" });
}

document.addEventListener("submit", onSubmit);
addEventListener("online", () => document.querySelectorAll("[data-not-sent]").forEach((notice) => notice.remove()));
