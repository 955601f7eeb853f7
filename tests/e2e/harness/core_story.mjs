// What must work in every engine: signing in, an answer that is seen while it is written, opening without a server,
// sending later. `browser` has `go`, `evaluate`, `click`, `write`, `enter`.

import assert from 'node:assert/strict';
import { READ_ROWS } from './app.mjs';
import { house } from './house.mjs';
import { CAMILLE } from './server.mjs';
import { eventually, stepsOf } from './wait.mjs';

/** How many pieces of threads are stored: the thread's beginning, then one for a message and one for its answer. */
const STORED_CHUNKS = async () => {
  const done = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await done(indexedDB.open('kinstead'));
  const keys = await done(database.transaction('rows').objectStore('rows').getAllKeys());
  database.close();
  return keys.filter(key => String(key).startsWith('chunk|session/')).length;
};

export async function coreStory(t, browser) {
  const step = stepsOf(t);
  const { server, scripted, rest, kin } = await house(t);
  const shows = (what, expected) =>
    eventually(what, async () => {
      const rows = await browser.evaluate(READ_ROWS);
      assert.deepEqual(rows.map(({ by, text }) => [by, text]), expected);
      return true;
    });
  const address = `${server.url}/kin/${kin.id}`;
  const before = [['me', 'Count, please'], ['kin', 'One. Two.']];

  await step('signing in', async () => {
    await browser.go(address);
    await browser.write('#email', CAMILLE.email);
    await browser.write('#password', CAMILLE.password);
    await browser.click('form button[type=submit]');
    await eventually('the thread', () => browser.evaluate(() => document.querySelector('#log:not([aria-busy])') !== null));
  });

  await step('an answer is seen while it is written', async () => {
    await scripted.script({ kind: 'gated', chunks: ['One. ', 'Two.'], gate: 'engine' });
    await browser.write('#composer', 'Count, please');
    await browser.enter('#composer');
    await scripted.release(1, 'engine');
    await shows('the first half', [['me', 'Count, please'], ['kin', 'One.']]);
    await scripted.release(1, 'engine');
    await shows('the whole answer', before);
  });

  await step('without a server it opens and takes a message', async () => {
    await eventually('the service worker', () =>
      browser.evaluate(() => navigator.serviceWorker.controller?.state === 'activated'));
    // What is shown is the server's already; on the device it is a moment later, and only that is there without a server.
    await eventually('the thread on the device', async () => (await browser.evaluate(STORED_CHUNKS)) >= 3);
    await server.kill();
    await browser.go(address);
    await shows('what was there', before);
    await browser.write('#composer', 'Later [slow 1 0]');
    await browser.enter('#composer');
    await shows('what waits', [...before, ['me', 'Later [slow 1 0]']]);
    await browser.go(address);
    await shows('what still waits', [...before, ['me', 'Later [slow 1 0]']]);
  });

  await step('with the server back it sends once', async () => {
    await server.start();
    await rest.answerTo(kin, 'Later [slow 1 0]');
    await shows('everything', [...before, ['me', 'Later [slow 1 0]'], ['kin', 'part 1 of 1.']]);
    assert.equal((await scripted.requestsWith('Later')).length, 1);
    assert.equal((await rest.thread(kin)).length, 4);
  });
}
