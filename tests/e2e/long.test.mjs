// A thread that never ends stays light.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

const MESSAGES = 520;
/** Rows that may be drawn at once. */
const MOST_ROWS = 80;
/** What nobody's eye notices, in pixels. */
const STILL = 2;

/** Messages of very different heights. */
function text(number) {
  const lines = Array.from({ length: number % 7 }, (_, at) => `line ${at + 1} of message ${number}`);
  return [`Message ${number}. [slow 1 0]`, ...lines].join('\n\n');
}

test('a thread of more than a thousand messages', { timeout: 300_000 }, async t => {
  const step = stepsOf(t);
  const { server, rest, kin } = await house(t);
  // Where things move least, what jumps is seen best.
  const browser = await Browser.start(t, server, { still: true });
  const app = new App(browser);
  const { page } = browser;
  await app.signIn(CAMILLE);

  await step('is written', async () => {
    // A few at a time, as people write: an answer follows what it answers.
    for (let sent = 0; sent < MESSAGES; ) {
      for (let few = 0; few < 4; few += 1) await rest.send(kin, text((sent += 1)));
      await eventually(
        `the answer to message ${sent}`,
        async () => {
          const { items } = await rest.ask('GET', `/api/kins/${kin.id}/messages?limit=8`);
          return items.filter(({ answers }) => answers).length === 4 && items.every(({ state }) => state === 'done');
        },
        { every: 5 },
      );
    }
    assert.equal((await rest.thread(kin)).length, 2 * MESSAGES);
  });

  /** Waits until nothing moves any more; gives where the drawn rows are. */
  const settled = () =>
    page.evaluate(async () => {
      const log = document.querySelector('#log');
      const places = () => [...log.querySelectorAll(':scope > .k-logrow')].map(row => [row.innerText.split('\n').slice(0, 4).join(' '), Math.round(row.getBoundingClientRect().top)]);
      let before = '';
      for (let still = 0; still < 6; ) {
        await new Promise(resolve => requestAnimationFrame(resolve));
        const now = JSON.stringify(places());
        const loads = log.querySelector('.k-logstate:has(*)') !== null;
        still = now === before && !loads ? still + 1 : 0;
        before = now;
      }
      return JSON.parse(before);
    });

  await step('opens at its end, with few rows', async () => {
    await app.open(kin);
    await app.log.getByText(`Message ${MESSAGES}.`).waitFor();
    const rows = await settled();
    assert.ok(rows.length < MOST_ROWS, `${rows.length} rows`);
    const last = app.log.locator('.k-logrow').last();
    const [box, composer] = [await last.boundingBox(), await app.composer.boundingBox()];
    assert.ok(box.y + box.height <= composer.y + 1, 'the newest message stands above the composer');
  });

  await step('is read up to its first message, and nothing jumps', async () => {
    const log = await app.log.boundingBox();
    const middle = page.viewportSize().height / 2;
    await page.mouse.move(log.x + log.width / 2, middle);
    let most = 0;
    const jumps = [];
    const isOnTop = () =>
      page.evaluate(() => {
        const row = [...document.querySelectorAll('#log > .k-logrow')].find(row => /Message 1\./.test(row.innerText));
        return row !== undefined && row.getBoundingClientRect().top >= 0;
      });
    const numbers = new Set();
    for (let turn = 0; !(await isOnTop()); turn += 1) {
      assert.ok(turn < 500, 'the first message is never reached');
      await page.mouse.wheel(0, -900);
      // What stands in the middle just after the turn of the wheel stays there, whatever comes in above it.
      const anchor = await page.evaluate(async middle => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise(resolve => requestAnimationFrame(resolve));
        const rows = [...document.querySelectorAll('#log > .k-logrow')];
        const row = rows.find(row => row.getBoundingClientRect().bottom > middle);
        window.__anchor = row;
        return row && { text: row.innerText.slice(0, 30), top: row.getBoundingClientRect().top };
      }, middle);
      const rows = await settled();
      most = Math.max(most, rows.length);
      for (const [text] of rows) numbers.add(Number(text.match(/Message (\d+)\./)?.[1]));
      const top = await page.evaluate(() => (window.__anchor?.isConnected ? window.__anchor.getBoundingClientRect().top : null));
      if (anchor && (top === null || Math.abs(top - anchor.top) > STILL)) jumps.push(`${anchor.text}: ${anchor.top} → ${top}`);
    }
    assert.ok(most < MOST_ROWS, `${most} rows at once`);
    assert.deepEqual(jumps, []);
    numbers.delete(NaN);
    assert.equal(numbers.size, MESSAGES, 'every message came by');
  });

  await step('what comes in does not move what is read, and is one tap away', async () => {
    const before = await settled();
    await rest.send(kin, 'News [slow 1 0]');
    await rest.answerTo(kin, 'News [slow 1 0]');
    await app.button('new-messages').waitFor();
    assert.deepEqual(await settled(), before);
    await app.button('new-messages').click();
    await app.log.getByText('News [slow 1 0]').waitFor();
    const rows = await settled();
    assert.ok(rows.length < MOST_ROWS, `${rows.length} rows`);
    await app.button('new-messages').waitFor({ state: 'detached' });
  });
});
