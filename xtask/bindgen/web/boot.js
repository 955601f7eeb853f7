// Starts the web app in the page. A module of its own, so that the page needs no inline script.
import init from "./app.js";

init({ module_or_path: new URL("./app_bg.wasm", import.meta.url) }).catch((error) => {
  // The app could not even start, so the page's own words have to say it.
  console.error(error);
  document.documentElement.dataset.boot = "failed";
  const words = document.getElementById("boot-failed");
  if (words) words.hidden = false;
});
