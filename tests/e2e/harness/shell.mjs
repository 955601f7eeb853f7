// What a page can be asked about its service worker.

/** Waits until the app is kept on this device. */
export async function kept(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** Which build the page is of, and which the service worker. */
export async function builds(page) {
  return page.evaluate(async () => {
    const own = document.querySelector('meta[name=kinstead-build]').content;
    const worker = navigator.serviceWorker.controller;
    if (!worker) return { own };
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise(resolve => (port1.onmessage = ({ data }) => resolve(data.build)));
    worker.postMessage({ kind: 'build' }, [port2]);
    return { own, worker: await answer };
  });
}

/** Looks for a new build now, as the page does when the network comes back. */
export async function look(page) {
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}
