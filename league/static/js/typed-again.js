// After a sign-in that expired: shows what was sent with the labels of the form it was typed in.
const list = document.querySelector("[data-sent]");
const unsent = document.querySelector("form[data-page]");

const words = (element, without = "") => (element?.textContent ?? "").replace(without, "").trim();

/* The label and the words of what was sent; null where people saw nothing of it. */
function labelled(form, name, value) {
  const fields = [...form.elements].filter((one) => one.name === name);
  const field = fields.find((one) => one.value === value) ?? fields[0];
  if (!field || field.type === "hidden" || !value.trim()) return null;
  const label = words(field.labels?.[0], field.textContent) || field.getAttribute("aria-label") || "";
  if (field.type === "submit") return ["", words(field)];
  if (field.type === "radio") return [words(field.closest("fieldset")?.querySelector("legend")), label];
  if (field.type === "checkbox") return ["", label];
  if (field.options) return [label, words([...field.options].find((one) => one.value === value))];
  return [label, value];
}

const page = new URL(location.origin + unsent.dataset.page);
const answer = await fetch(page);
const there = new DOMParser().parseFromString(await answer.text(), "text/html");
const path = new URL(unsent.getAttribute("action"), page).pathname;
const leadsTo = (one) => new URL(one.getAttribute("action") || page, page).pathname === path;
const form = [...there.forms].find((one) => leadsTo(one) || one.querySelector(`[formaction="${path}"]`));
const sent = form ? [...new FormData(unsent)].map(([name, value]) => labelled(form, name, value)) : [];
const lines = sent.filter(Boolean).map(([label, value]) => {
  const line = document.createElement("li");
  line.append(Object.assign(document.createElement("b"), { textContent: label }), " ", value);
  return line;
});
if (lines.length) list.replaceChildren(...lines);
