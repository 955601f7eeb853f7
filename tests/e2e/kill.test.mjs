// The server dies at any moment of an answer and loses nothing, says nothing twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, asShown } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { CAMILLE } from './harness/server.mjs';
import { eventually, pause, random } from './harness/wait.mjs';

const KILLS = 20;
/** Tall enough for the whole thread, so that every message is drawn. */
const TALL = { width: 820, height: 9000 };
const PARTS = 25;
const ANSWER = Array.from({ length: PARTS }, (_, at) => `part ${at + 1} of ${PARTS}.`).join(' ');
/** About what an answer takes, from Enter to its end, and a little more. */
const MOMENTS_MS = 900;

test('kill -9 at a random moment of an answer, 20 times', async t => {
  const seed = Number(process.env.KINSTEAD_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`KINSTEAD_SEED=${seed}`);
  const chance = random(seed);
  const { server, rest, me, kin } = await house(t);
  const browser = await Browser.start(t, server, { viewport: TALL });
  browser.allow(SERVER_AWAY);
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(kin);

  let midway = 0;
  for (let round = 1; round <= KILLS; round += 1) {
    const text = `Message ${round} [slow ${PARTS} 20]`;
    const moment = Math.floor(chance() * MOMENTS_MS);
    // By turns from the app, whose outbox has to carry it over, and from a script, which repeats it with its key.
    const isScript = round % 2 === 0;
    let sent;
    if (isScript) sent = rest.send(kin, text, `key-${round}`).catch(() => null);
    else await app.send(text);
    await pause(moment);
    midway += await app.writing.count();
    await server.kill();
    await sent;
    await server.start();
    if (isScript) await rest.send(kin, text, `key-${round}`);
    // What the system says when a network comes back; without it the app waits longer after each loss.
    await app.page.evaluate(() => window.dispatchEvent(new Event('online')));

    const where = `round ${round}, killed after ${moment} ms`;
    const answer = await rest.answerTo(kin, text);
    assert.deepEqual([answer.state, answer.text.trim()], ['done', ANSWER], where);
    const thread = await rest.thread(kin);
    const expected = Array.from({ length: round }, (_, at) => [
      ['me', `Message ${at + 1} [slow ${PARTS} 20]`],
      ['kin', ANSWER],
    ]).flat();
    assert.deepEqual(asShown(thread, me), expected, where);
    await app.shows(expected, `${where}: the browser`);
  }
  t.diagnostic(`while an answer was being written: ${midway} of ${KILLS}`);
  assert.ok(midway >= 3, 'the moments are well chosen: some of them are in the middle of an answer');

  await t.test('a browser that was never there sees the same', async t => {
    const fresh = new App(await Browser.start(t, server, { viewport: TALL }));
    await fresh.signIn(CAMILLE);
    await fresh.open(kin);
    await fresh.shows(asShown(await rest.thread(kin), me));
  });

  await t.test('nothing waits any more', async () => {
    await eventually('an idle Kin', async () => (await app.rows()).every(({ state, line }) => state === 'there' && !/Waiting|Sending/.test(line)));
  });
});
