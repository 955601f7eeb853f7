// From one build of the app to the next: nothing written is lost, nobody is disturbed, no tab stays behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { Builds } from './harness/builds.mjs';
import { house } from './harness/house.mjs';
import { Proxy } from './harness/proxy.mjs';
import { CAMILLE } from './harness/server.mjs';
import { builds, kept, look } from './harness/shell.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

/** A household whose app can change, and someone signed in on a tab that is kept on their device. */
async function begun(t) {
  const web = await Builds.copy(t);
  const world = await house(t, { web: web.path });
  const proxy = await Proxy.start(t, world.server);
  const browser = await Browser.start(t, proxy);
  browser.allow(SERVER_AWAY, /^status: (404|50\d)/, /^console: .*WebSocket/);
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(world.kin);
  await kept(app.page);
  return { ...world, web, proxy, browser, app };
}

/** The build a page says it is of; nothing while it is on its way to the next. */
async function buildOf(page) {
  return page.locator('meta[name=kinstead-build]').getAttribute('content').catch(() => undefined);
}

/** Waits until a tab and its service worker are of this build. */
async function isOf(page, build) {
  // The worker is asked once only: one that is kept busy with questions is not replaced.
  await eventually(`build ${build}`, async () => (await buildOf(page)) === build, { every: 250 });
  await kept(page);
  assert.deepEqual(await builds(page), { own: build, worker: build });
}

/** Someone is here: a page that was only just opened may be exchanged at once. */
async function touch(app) {
  await app.composer.click();
}

/** What the system does when another window covers this one. */
async function hide(page) {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

test('an update with an unsent message, a draft and a second tab', async t => {
  const step = stepsOf(t);
  const { web, proxy, browser, app, rest, kin } = await begun(t);
  const other = new App(browser, 'en', await browser.context.newPage());
  await other.open(kin);
  await kept(other.page);
  const draft = 'Half a thought';
  let next;

  await step('both tabs hear of it', async () => {
    proxy.refuse(path => path === '/api/sync' && 503);
    await app.syncs('sync-offline');
    await app.send('Unsent [slow 1 0]');
    await app.syncs('sync-offline-waiting', { count: 1 });
    await other.composer.fill(draft);
    next = await web.next();
    proxy.asked.length = 0;
    await look(app.page);
    for (const tab of [app, other]) await tab.text('update-ready').waitFor();
    assert.notEqual((await builds(app.page)).own, next.build, 'nothing is taken from under anyone');
  });

  await step('only what changed has been fetched', async () => {
    const files = proxy.asked.filter(path => !path.startsWith('/api/'));
    assert.deepEqual(files.sort(), ['/', '/sw.js', next.styles, next.worker].sort());
  });

  await step('the tab that is asked changes; the one that is written in waits', async () => {
    await app.button('update-reload').click();
    await isOf(app.page, next.build);
    await app.rowsWhen('the unsent message', rows => rows.at(-1)?.text === 'Unsent [slow 1 0]');
    await other.text('update-moved').waitFor();
    assert.equal(await other.composer.inputValue(), draft);
  });

  await step('the new tab sends', async () => {
    proxy.pass();
    await rest.answerTo(kin, 'Unsent [slow 1 0]');
    await app.shows([['me', 'Unsent [slow 1 0]'], ['kin', 'part 1 of 1.']]);
  });

  await step('the other follows, and its draft is there', async () => {
    let loads = 0;
    for (const tab of [app, other]) tab.page.on('load', () => (loads += 1));
    await other.button('update-reload').click();
    await isOf(other.page, next.build);
    await other.page.locator('#log:not([aria-busy])').waitFor();
    await eventually('the draft', async () => (await other.composer.inputValue()) === draft);
    await other.shows([['me', 'Unsent [slow 1 0]'], ['kin', 'part 1 of 1.']]);
    await other.send(`${draft} [slow 1 0]`);
    await rest.answerTo(kin, `${draft} [slow 1 0]`);
    assert.equal((await rest.thread(kin)).length, 4);
    assert.equal(loads, 1, 'nothing is loaded again and again');
  });
});

test('an update is taken when nobody looks, and at the next cold start', async t => {
  const { web, browser, app, proxy } = await begun(t);
  await touch(app);
  const second = await web.next();
  await look(app.page);
  await app.text('update-ready').waitFor();
  // Asked again as a page that stays hidden asks by itself, each minute.
  await eventually('the new build', async () => {
    if ((await buildOf(app.page)) === second.build) return true;
    await hide(app.page);
    return false;
  }, { every: 1000 });
  await isOf(app.page, second.build);

  await touch(app);
  const third = await web.next();
  await look(app.page);
  await app.text('update-ready').waitFor();
  await browser.context.close();
  const again = await Browser.start(t, proxy, { profile: browser.profile });
  const later = new App(again);
  await later.go();
  await later.heading('home-kins').waitFor();
  await isOf(later.page, third.build);
});

test('an installation that fails leaves the old build whole, and the next try goes on', async t => {
  const { server, web, proxy, app, kin } = await begun(t);
  await touch(app);
  const { own } = await builds(app.page);
  const next = await web.next();
  // Missing, too late, gone in the middle.
  for (const refusal of [404, 503]) {
    proxy.asked.length = 0;
    proxy.refuse(path => path === next.styles && refusal);
    await look(app.page);
    await eventually('a try', () => proxy.asked.includes(next.styles));
    await app.page.waitForFunction(async () => {
      const { installing, waiting } = await navigator.serviceWorker.getRegistration();
      return !installing && !waiting;
    });
  }
  await server.kill();
  await app.page.reload();
  await app.heading('thread-empty-title', { name: kin.name }).waitFor();
  assert.deepEqual(await builds(app.page), { own, worker: own });
  assert.equal(await app.text('update-ready').count(), 0);

  await server.start();
  proxy.pass();
  await app.syncs('sync-up-to-date');
  await touch(app);
  await look(app.page);
  await app.button('update-reload').click();
  await isOf(app.page, next.build);
});

test('a page of an older build than the server says so instead of being dead', async t => {
  const web = await Builds.copy(t);
  const { server } = await house(t, { web: web.path });
  const browser = await Browser.start(t, server, { serviceWorkers: false });
  browser.allow(/^(status: 404 \w+|request: GET) \/assets\/worker/, /^(console|warning|page): /);
  const app = new App(browser);
  await app.go();
  await app.heading('sign-in-title').waitFor();
  const next = await web.next();
  await app.fillSignIn(CAMILLE);
  await app.text('update-gone').waitFor();
  await app.button('update-reload').click();
  await app.heading('home-kins').waitFor();
  assert.equal((await builds(app.page)).own, next.build);
});
