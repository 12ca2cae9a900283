// Opens the restored club as soon as the site is there again: until then its first page is another.
const again = setInterval(async () => {
  try {
    const answer = await fetch("/start/", { redirect: "manual", cache: "no-store" });
    if (answer.type === "opaqueredirect") {
      clearInterval(again);
      location.assign("/");
    }
  } catch {
    // It is just being started.
  }
}, 1000);
