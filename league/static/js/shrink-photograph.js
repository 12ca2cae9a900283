// A phone's photograph of a card is made smaller before it is sent; without this the server does it.
const LONGER_SIDE = 1600;
const LARGE = 1_000_000; // bytes; anything smaller is sent as it is

async function smaller(file) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGER_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.8); });
  return new File([blob], "card.jpg", { type: "image/jpeg" });
}

document.addEventListener("change", async ({ target }) => {
  const [file] = target.files ?? [];
  if (!file || !("shrink" in target.dataset) || file.size <= LARGE) return;
  const send = target.form.querySelector("button");
  send.disabled = true;
  try {
    const chosen = new DataTransfer();
    chosen.items.add(await smaller(file));
    target.files = chosen.files;
  } catch { /* no picture, or an old browser: the server says so */ }
  send.disabled = false;
});
