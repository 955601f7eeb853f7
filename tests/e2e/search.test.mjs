// What was said long ago is found on the device itself, and what was taken away is not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { assertNone, look } from './harness/look.mjs';
import { CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

/** The scripted provider answers at once. */
const QUICK = '[slow 1 0]';
const FIRST = `Les clés de la cave sont chez Inès, près du jardin ${QUICK}`;
/** Some three of these fill a chapter of the thread. */
const LONG = Array.from({ length: 40 }, (_, at) => `Ligne ${at} : ${'la pluie et le beau temps, '.repeat(40)}`).join('\n\n');

test('what was said before is found without a network', { timeout: 120_000 }, async t => {
  const step = stepsOf(t);
  const { server, rest, kin } = await house(t);
  const said = async text => {
    const id = await rest.send(kin, text);
    await rest.answerTo(kin, text);
    return id;
  };
  const first = await said(FIRST);
  for (let number = 1; number <= 9; number += 1) await said(`${number}. ${LONG} ${QUICK}`);
  const middle = await said(`Le JARDIN a soif ${QUICK}`);
  await said(`Un jardinier viendra ${QUICK}`);

  const browser = await Browser.start(t, server, { still: true });
  browser.allow(SERVER_AWAY);
  const app = new App(browser);
  const { page } = browser;
  await app.signIn(CAMILLE);
  await app.syncs('sync-up-to-date');
  await app.open(kin);
  await app.log.getByText('Un jardinier viendra').waitFor();
  const palette = page.getByRole('combobox', { name: app.words('palette-field') });
  const field = page.getByRole('textbox', { name: app.words('find-in', { name: kin.name }) });
  const count = page.locator('.k-findbar__count');
  const shown = text => app.log.locator('.k-bubble', { hasText: text });
  /** Whether a message is in the window of the log. */
  const isSeen = text => eventually(`“${text}” is in sight`, async () => {
    const [box, log] = [await shown(text).boundingBox(), await page.locator('.k-scroll--end').boundingBox()];
    return box !== null && box.y >= log.y - 1 && box.y + box.height <= log.y + log.height + 1;
  });
  const counts = text => eventually(`the count is ${text}`, async () => (await count.innerText()).startsWith(text));

  await step('the palette finds it by words without their accents', async () => {
    await browser.context.setOffline(true);
    await app.syncs('sync-offline');
    assert.equal(await shown('Les clés de la cave').count(), 0, 'it is far from what is shown');
    await page.keyboard.press('Control+k');
    await palette.fill('"cles de la cav');
    const option = page.getByRole('option').filter({ hasText: 'Les clés de la cave' });
    await option.waitFor();
    assert.equal(await option.locator('mark').innerText(), 'clés de la cav');
    assert.match(await option.innerText(), new RegExp(kin.name));
    /** Who said it and when is never cut off. */
    const isWhole = async () => {
      const [line, palette] = [await option.locator('small').boundingBox(), await page.getByRole('dialog').boundingBox()];
      assert.ok(line.x >= palette.x && line.x + line.width <= palette.x + palette.width, 'the line is inside the palette');
      assert.equal(await option.locator('small').evaluate(small => small.scrollWidth <= small.clientWidth), true);
    };
    assertNone(await look(app, 'palette-said', isWhole));
    await palette.fill('nobody ever said this');
    await app.text('said-none', { words: 'nobody ever said this' }).waitFor();
    await palette.fill('"cles de la cav');
    await option.waitFor();
  });

  await step('and leads to it, in its thread', async () => {
    await page.getByRole('option').filter({ hasText: 'Les clés de la cave' }).click();
    await isSeen('Les clés de la cave');
    await eventually('the message has the focus', () =>
      page.evaluate(() => document.activeElement?.matches('article') && document.activeElement.innerText.includes('Les clés de la cave')),
    );
  });

  await step('a thread is searched from message to message, by keys', async () => {
    await app.composer.focus();
    await page.keyboard.press('Control+f');
    await field.fill('jardin');
    await counts('1/3');
    await isSeen('Un jardinier viendra');
    await field.press('Enter');
    await counts('2/3');
    await isSeen('Le JARDIN a soif');
    await field.press('F3');
    await counts('3/3');
    await isSeen('Les clés de la cave');
    await page.waitForFunction(() => [...(CSS.highlights.get('k-found') ?? [])].map(String).join() === 'jardin');
    await field.press('Shift+Enter');
    await counts('2/3');
    await field.press('Shift+F3');
    await counts('1/3');
    await app.button('find-newer').click();
    await counts('3/3');
    await app.button('find-older').click();
    await counts('1/3');
    assert.ok(await page.getByRole('status').filter({ hasText: app.words('find-at', { at: 1, count: 3 }) }).count());
    assertNone(await look(app, 'thread-search'));
    await field.fill('introuvable');
    await eventually('it says so', async () => (await count.innerText()).includes(app.words('find-none')));
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await eventually('the composer has the focus again', () => page.evaluate(() => document.activeElement.id === 'composer'));
    assert.equal(await page.evaluate(() => CSS.highlights.has('k-found')), false);
  });

  await step('what is taken away is found no more, by nobody who looks for it just then', async () => {
    await browser.context.setOffline(false);
    await app.syncs('sync-up-to-date');
    await app.button('find-in', { name: kin.name }).click();
    await field.fill('jardin');
    await counts('1/3');
    await rest.ask('POST', `/api/messages/${middle}/redact`);
    await counts('1/2');
    await rest.ask('POST', `/api/messages/${first}/redact`);
    await counts('1/1');
    await field.fill('inès');
    await eventually('nothing is found', async () => (await count.innerText()).includes(app.words('find-none')));
    await field.press('Escape');
    await page.keyboard.press('Control+k');
    await palette.fill('cles de la cave');
    await app.text('said-none', { words: 'cles de la cave' }).waitFor();
    // Nor after the device has read everything again from its store.
    await page.reload();
    await app.composer.waitFor();
    await page.keyboard.press('Control+k');
    await palette.fill('inès');
    await app.text('said-none', { words: 'inès' }).waitFor();
  });
});
