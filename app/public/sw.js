// The service worker: the app opens from this device, with or without a network.
//
// All builds share one cache. A file is kept under its address and, where the address does not already tell its
// content, its revision; so a new build fetches what changed, an installation that was cut short goes on where it
// stopped, and a failed one has touched nothing. The rule of updates is in docs/architecture.md.

/** Every file of this build: `[{"url": "/assets/app.1f2e.js", "revision": null}, {"url": "/", "revision": "…"}]`. */
const FILES = self.__KINSTEAD_PRECACHE;
/** What the page of this build calls itself. */
const BUILD = self.__KINSTEAD_BUILD;

const SHELL = 'kinstead-shell';
/** Pictures of the household. The page deletes it when a login ends. */
const PICTURES = 'kinstead-pictures';
/** Where the lists of the running build and of the one before are kept, in the same cache. */
const LISTS = '/kinstead-lists';
/** Fetched when first needed instead: other scripts' letters, slanted text, what the system alone asks for. */
const LATER = /(-latin-ext-|-italic\.|\.png$|\.txt$|notification-badge)/;
/** How long other tabs have to say that they can be reloaded. */
const ANSWER_WITHIN_MS = 5000;

const listed = new Map(FILES.map(file => [file.url, keyOf(file)]));

self.addEventListener('install', event => event.waitUntil(install()));
self.addEventListener('activate', event => event.waitUntil(activate()));
self.addEventListener('message', event => event.waitUntil(hear(event)));
self.addEventListener('fetch', event => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});

function keyOf({ url, revision }) {
  return revision === null ? url : `${url}?revision=${revision}`;
}

async function install() {
  const cache = await caches.open(SHELL);
  const wanted = FILES.filter(file => !LATER.test(file.url));
  const fetchAll = async () => {
    for (let file = wanted.pop(); file; file = wanted.pop()) {
      if (!(await cache.match(keyOf(file)))) await cache.put(keyOf(file), await fetched(file));
    }
  };
  // Some at once, but not so many that the app has to wait for its own requests.
  await Promise.all([fetchAll(), fetchAll(), fetchAll()]);
}

/** The file as this build wants it; fails on any other, such as that of a server that was replaced meanwhile. */
async function fetched({ url, revision }) {
  const response = await fetch(url, revision === null ? {} : { cache: 'no-cache' });
  if (response.status !== 200 || response.redirected) throw new Error(`${url} answered ${response.status}`);
  if (revision === null) return response;
  const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  const hash = [...new Uint8Array(digest).slice(0, 16)].map(byte => byte.toString(16).padStart(2, '0')).join('');
  if (hash !== revision) throw new Error(`${url} is of another build`);
  return response;
}

/** Files of the build before stay: a tab that could not be reloaded yet may ask for them. All others go. */
async function activate() {
  const cache = await caches.open(SHELL);
  const kept = await (await cache.match(LISTS))?.json();
  const before = kept?.build === BUILD ? kept.before : kept?.files;
  const files = [...listed.values()];
  await cache.put(LISTS, new Response(JSON.stringify({ build: BUILD, files, before: before ?? [] })));
  await self.clients.claim();
  const wanted = new Set([LISTS, ...files, ...(before ?? [])]);
  for (const request of await cache.keys()) {
    const { pathname, search } = new URL(request.url);
    if (!wanted.has(pathname + search)) await cache.delete(request);
  }
}

/** What to answer; nothing where the network alone knows. */
function answerTo(request) {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return undefined;
  const path = url.pathname;
  if (/^\/api\/pictures\/[^/]+$/.test(path)) return picture(request);
  if (/^\/(api|health|\.well-known)(\/|$)/.test(path)) return undefined;
  const known = path !== '/' && listed.get(path);
  if (known) return file(request, known);
  // Of the build before, perhaps.
  if (path.startsWith('/assets/')) return caches.match(path, { cacheName: SHELL }).then(kept => kept ?? fetch(request));
  if (request.mode === 'navigate') return file(request, listed.get('/'));
  return undefined;
}

async function file(request, key) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(key);
  if (kept) return kept;
  const response = await fetch(request);
  // The page and the scripts are kept by the installation only, which knows that they belong together.
  if (response.status === 200 && LATER.test(key)) await keep(cache, key, response);
  return response;
}

async function picture(request) {
  const cache = await caches.open(PICTURES);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) await keep(cache, request.url, response);
  return response;
}

/** Keeps a copy; a full disk is no reason not to show what has come. */
async function keep(cache, key, response) {
  await cache.put(key, response.clone()).catch(() => {});
}

async function hear({ data, ports: [port] }) {
  if (data?.kind === 'build') port.postMessage({ build: BUILD });
  // A page that was on its way when this worker began.
  if (data?.kind === 'claim') await self.clients.claim();
  if (data?.kind === 'take' && (data.asked || (await everyoneCanReload()))) await self.skipWaiting();
}

/** Whether no tab is being looked at or written in. One that does not answer is not asked twice. */
async function everyoneCanReload() {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = tabs.map(tab => new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(resolve, ANSWER_WITHIN_MS, false);
    tab.postMessage({ kind: 'can-reload' }, [port2]);
  }));
  return (await Promise.all(answers)).every(Boolean);
}
