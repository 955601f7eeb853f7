// Starts the replica in a dedicated worker.
import init from "./replica.js";

// Messages that arrive while the module loads are kept, then replayed to whoever listens by then.
const early = [];
const keep = (event) => {
  event.stopImmediatePropagation();
  early.push(event);
};
self.addEventListener("message", keep);

init({ module_or_path: new URL("./replica_bg.wasm", import.meta.url) })
  .then(() => {
    self.removeEventListener("message", keep);
    for (const { data, ports } of early) {
      self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
    }
  })
  .catch((error) => {
    // Thrown outside the promise so that the page's `worker.onerror` hears of it.
    setTimeout(() => {
      throw error;
    });
  });
