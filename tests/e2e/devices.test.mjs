// One device alone: without a network, in two tabs, and after signing out.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { App, asShown } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

test('a device without a network keeps what is written and sends it once', async t => {
  const step = stepsOf(t);
  const { server, scripted, rest, me, kin } = await house(t);
  const first = await Browser.start(t, server);
  first.allow(SERVER_AWAY);
  const app = new App(first);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await app.send('Before [slow 1 0]');
  await app.shows([['me', 'Before [slow 1 0]'], ['kin', 'part 1 of 1.']]);
  const before = await app.rows();

  await step('the network goes: it says so', async () => {
    await first.context.setOffline(true);
    await app.syncs('sync-offline');
    await app.text('offline-title').waitFor();
  });

  await step('what is written waits, and can be thrown away', async () => {
    await app.send('One [slow 1 0]');
    await app.send('Two [slow 1 0]');
    await app.send('Thrown away');
    await app.syncs('sync-offline-waiting', { count: 3 });
    const thrown = app.log.getByRole('article').filter({ hasText: 'Thrown away' });
    await thrown.getByText(app.words('own-offline')).waitFor();
    await thrown.getByRole('button', { name: app.words('discard') }).click();
    await thrown.waitFor({ state: 'detached' });
    assert.equal((await rest.thread(kin)).length, 2);
    assert.deepEqual((await app.rows()).slice(0, 2), before, 'what was there can still be read');
  });

  await step('the network comes back: everything leaves once, in order', async () => {
    await first.context.setOffline(false);
    await app.syncs('sync-up-to-date');
    await rest.answerTo(kin, 'Two [slow 1 0]');
    const expected = ['Before', 'One', 'Two'].flatMap(text => [['me', `${text} [slow 1 0]`], ['kin', 'part 1 of 1.']]);
    await app.shows(expected);
    assert.deepEqual(asShown(await rest.thread(kin), me), expected);
  });

  await step('the server goes: the same', async () => {
    await server.kill();
    await app.syncs('sync-offline');
    await app.send('Three [slow 1 0]');
    await app.syncs('sync-offline-waiting', { count: 1 });
  });

  await step('what waits outlives the browser', async t => {
    await first.context.close();
    await server.start();
    assert.equal((await rest.thread(kin)).length, 6);
    const again = await Browser.start(t, server, { profile: first.profile });
    const later = new App(again);
    // Not even the thread has to be opened for it.
    await later.go();
    await later.heading('home-kins').waitFor();
    await rest.answerTo(kin, 'Three [slow 1 0]');
    await later.open(kin);
    await later.shows(asShown(await rest.thread(kin), me));
    assert.equal((await rest.thread(kin)).length, 8);
    const asked = await scripted.requestsWith('Three');
    assert.equal(asked.length, 1, 'the Kin was asked once');
  });
});

test('a server that hangs is noticed', async t => {
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  browser.allow(SERVER_AWAY);
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await app.syncs('sync-up-to-date');
  server.freeze();
  // What the system says when a cable is pulled. The connection itself says nothing then.
  await app.page.evaluate(() => window.dispatchEvent(new Event('offline')));
  // 10 s of silence are enough, unless something was still on its way: then it is 25 s until the next test.
  await app.syncs('sync-offline', {}, { timeout: 45_000 });
  await app.send('Into the silence [slow 1 0]');
  await app.syncs('sync-offline-waiting', { count: 1 });
  server.thaw();
  await app.syncs('sync-up-to-date');
  await rest.answerTo(kin, 'Into the silence [slow 1 0]');
  await app.shows([['me', 'Into the silence [slow 1 0]'], ['kin', 'part 1 of 1.']]);
  assert.equal((await rest.thread(kin)).length, 2);
});

test('two tabs are one device', async t => {
  const step = stepsOf(t);
  const { server, scripted, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  const one = new App(browser);
  await one.signIn(CAMILLE);
  await one.open(kin);
  const two = new App(browser, 'en', await browser.context.newPage());
  await two.open(kin);

  await step('what one writes, the other shows, and the answer runs in both', async () => {
    await scripted.script({ kind: 'gated', chunks: ['Half. ', 'Whole.'], gate: 'tabs' });
    await two.send('From the second tab');
    await one.rowsWhen('the message', rows => rows[0]?.text === 'From the second tab');
    await scripted.release(1, 'tabs');
    for (const tab of [one, two]) await tab.rowsWhen('half', rows => rows[1]?.text === 'Half.');
    await scripted.release(1, 'tabs');
    for (const tab of [one, two]) await tab.shows([['me', 'From the second tab'], ['kin', 'Half. Whole.']]);
  });

  await step('the tab that held the connection is closed in the middle of an answer', async () => {
    await scripted.script({ kind: 'gated', chunks: ['Still ', 'here.'], gate: 'heir' });
    await one.send('And then?');
    await scripted.release(1, 'heir');
    await two.rowsWhen('half', rows => rows[3]?.text === 'Still');
    await one.page.close();
    await scripted.release(1, 'heir');
    await two.shows([['me', 'From the second tab'], ['kin', 'Half. Whole.'], ['me', 'And then?'], ['kin', 'Still here.']]);
    await two.send('Alone [slow 1 0]');
    await rest.answerTo(kin, 'Alone [slow 1 0]');
    await two.rowsWhen('six rows', rows => rows.length === 6);
    assert.equal((await rest.thread(kin)).length, 6);
  });
});

test('what a device stores is encrypted, and gone after signing out', async t => {
  const step = stepsOf(t);
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  browser.allow(SERVER_AWAY, 'status: 401 GET /api/sync');
  const app = new App(browser);
  const secret = 'Xylophonweinkeller7Q';
  await app.signIn(CAMILLE);
  await app.open(kin);
  await app.send(`${secret} [slow 1 0]`);
  await rest.answerTo(kin, `${secret} [slow 1 0]`);
  await app.rowsWhen('the answer', rows => rows.length === 2 && rows[1].state === 'there');
  await app.syncs('sync-up-to-date');

  await step('no row holds anything that was said', async () => {
    const rows = await eventually('stored rows', async () => {
      const rows = await storedRows(app.page);
      return rows.length > 3 && rows;
    });
    const bytes = Buffer.concat(rows.map(({ value }) => Buffer.from(value)));
    assert.ok(bytes.length > 500, `${bytes.length} bytes are stored`);
    for (const text of [secret, 'part 1 of 1', 'Basile', CAMILLE.nickname]) {
      for (const encoding of ['utf8', 'utf16le']) assert.equal(bytes.indexOf(text, 0, encoding), -1, text);
      for (const { key } of rows) assert.ok(!key.includes(text), key);
    }
    const remembered = await app.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.ok(!remembered.includes(secret), remembered);
    assert.match(remembered, /device/);
  });

  await step('signing out wipes it in every tab', async () => {
    const other = new App(browser, 'en', await browser.context.newPage());
    await other.open(kin);
    await app.page.bringToFront();
    await app.page.locator('[data-account=side] > button').click();
    await app.button('sign-out').click();
    await app.text('sign-out-lead').waitFor();
    await app.page.getByRole('dialog').getByRole('button', { name: app.words('sign-out') }).click();
    for (const tab of [app, other]) await tab.heading('sign-in-title').waitFor();
    await eventually('nothing is stored', async () => (await storedRows(app.page)).length === 0);
    const remembered = await app.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.doesNotMatch(remembered, /device/);
    const cookies = await browser.context.cookies();
    assert.deepEqual(cookies.filter(({ value }) => value !== ''), []);
    await app.go(`/kin/${kin.id}`);
    await app.heading('sign-in-title').waitFor();
    await other.page.close();
  });

  await step('the disk does not know it either', async () => {
    await browser.context.close();
    assert.equal(await fileWith(browser.profile, secret), undefined);
  });

  await step('signing in again brings everything back', async t => {
    const again = new App(await Browser.start(t, server, { profile: browser.profile }));
    await again.signIn(CAMILLE);
    await again.open(kin);
    await again.shows([['me', `${secret} [slow 1 0]`], ['kin', 'part 1 of 1.']]);
  });
});

/** Every row of the replica, raw. */
async function storedRows(page) {
  return page.evaluate(async () => {
    const done = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const isThere = (await indexedDB.databases()).some(({ name }) => name === 'kinstead');
    if (!isThere) return [];
    const database = await done(indexedDB.open('kinstead'));
    const rows = database.transaction('rows').objectStore('rows');
    const [keys, values] = await Promise.all([done(rows.getAllKeys()), done(rows.getAll())]);
    database.close();
    return keys.map((key, at) => ({ key, value: [...new Uint8Array(values[at].buffer ?? values[at])] }));
  });
}

/** The first file below a folder that holds this text. */
async function fileWith(folder, text) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = await readFile(path);
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))) return path;
  }
  return undefined;
}
