// Starts the web app in the page. A module of its own, so that the page needs no inline script.
import init from "./app.js";
import { start as startUpdates } from "./update.js";

const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

init({ module_or_path: new URL("./app_bg.wasm", import.meta.url) })
  .catch((error) => {
    // The app could not even start, so the page's own words have to say it.
    console.error(error);
    document.documentElement.dataset.boot = "failed";
  })
  // Keeping the app on this device must not hold up the first picture.
  .then(shown)
  .then(startUpdates);
