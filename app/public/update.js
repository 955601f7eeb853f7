// The page's side of the service worker: registers it, looks for new builds, and changes to one when that disturbs
// nobody. Plain JavaScript, so that it works even when the app of this build does not start.
//
// Tells the app by `<html data-update="ready">` (there is a new build), "moved" (another tab has changed to it, and
// this one waits because something is being written) or "gone" (the server no longer has the files of this page), and
// the event `kinstead-update`. The app answers with the event `kinstead-reload`.

/** Looked for new builds so often at most when the page is looked at again, or connected again. */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A page that was only just opened may still be exchanged for a newer one. */
const OPENING_MS = 3000;
/** The build this tab was last reloaded for: no second time for the same one. */
const RELOADED_FOR = 'kinstead.reloaded-for';

const own = document.querySelector('meta[name=kinstead-build]').content;
const workers = navigator.serviceWorker;
let registration;
let lookedAt = 0;
let asked = false;
let untouched = true;
let opening = false;

const TEXTS = 'textarea, input:not([type=radio], [type=checkbox]), [contenteditable]';
/** Fields someone has written in since the page was opened. */
const touched = new Set();
addEventListener('input', ({ target }) => target.matches?.(TEXTS) && touched.add(target), true);
for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => (untouched = opening = false), true);

function isBusy() {
  for (const field of touched) if (!field.isConnected) touched.delete(field);
  return document.querySelector('dialog[open]') !== null || [...touched].some(field => field.value !== '');
}

function tell(state) {
  const { dataset } = document.documentElement;
  if (dataset.update === state) return;
  dataset.update = state;
  dispatchEvent(new Event('kinstead-update'));
}

/** Which build a service worker is of. */
function buildOf(worker) {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data.build);
    worker.postMessage({ kind: 'build' }, [port2]);
  });
}

/** A new build is installed and waits. */
async function found(worker) {
  // Only pictures changed, or an older page came past the service worker: nothing for anyone to see.
  if ((await buildOf(worker)) === own) return take(true);
  tell('ready');
  take(false);
}

/** Changes all tabs to the waiting build: because a person asked, or only if nobody is disturbed. */
function take(asked) {
  registration?.waiting?.postMessage({ kind: 'take', asked });
}

function watch(worker) {
  worker?.addEventListener('statechange', () => {
    if (worker.state === 'installed' && registration.active) found(worker);
  });
}

async function look(atMostEach) {
  if (Date.now() - lookedAt < atMostEach) return;
  lookedAt = Date.now();
  // No network, or a server that is away: the next time will do.
  await registration?.update().catch(() => {});
}

/** Another build has taken over all tabs, by this one's doing or another's. */
async function moved() {
  const build = await buildOf(workers.controller);
  if (build === own) return;
  if (isBusy() && !asked) {
    // The tabs of the new build need the replica, which has one owner in a browser.
    dispatchEvent(new Event('kinstead-pause'));
    return tell('moved');
  }
  if (sessionStorage.getItem(RELOADED_FOR) === build) return tell('ready');
  sessionStorage.setItem(RELOADED_FOR, build);
  location.reload();
}

function reload() {
  asked = true;
  sessionStorage.removeItem(RELOADED_FOR);
  if (registration?.waiting) take(true);
  else location.reload();
}

/** Begins, once the first picture is there. */
export async function start() {
  addEventListener('kinstead-reload', reload);
  addEventListener('kinstead-gone', () => tell('gone'));
  // Absent where the page was not loaded safely.
  if (!workers) return;
  workers.addEventListener('controllerchange', moved);
  workers.addEventListener('message', ({ data, ports: [port] }) => {
    if (data?.kind === 'can-reload') port.postMessage(!isBusy() && (document.hidden || opening));
  });
  try {
    registration = await workers.register('/sw.js', { updateViaCache: 'none' });
  } catch (error) {
    // A private window may refuse. The app works, with a network.
    return console.info('kinstead: no service worker', error.name);
  }
  lookedAt = Date.now();
  if (!workers.controller) registration.active?.postMessage({ kind: 'claim' });
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
  opening = untouched;
  setTimeout(() => (opening = false), OPENING_MS);
  if (registration.waiting) found(registration.waiting);
  addEventListener('online', () => look(0));
  addEventListener('kinstead-connected', () => look(MINUTE_MS));
  addEventListener('focus', () => look(HOUR_MS));
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) take(false);
    else look(HOUR_MS);
  });
  // Another tab may have been in the way.
  setInterval(() => document.hidden && take(false), MINUTE_MS);
}
