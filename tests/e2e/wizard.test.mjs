// The first day, from an empty folder to a Kin's first answer, in French and in English.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser } from './harness/browser.mjs';
import { ollama, searxng } from './harness/neighbours.mjs';
import { KEY, Scripted } from './harness/scripted.mjs';
import { CAMILLE, Server } from './harness/server.mjs';
import { stepsOf } from './harness/wait.mjs';

/** Chooses one of a group of kinds by what stands on it. */
async function choose(app, name) {
  await app.page.locator('#provider-kind').getByText(name, { exact: true }).click();
}

test('la première journée, une clé à la fois', async t => {
  const step = stepsOf(t);
  const [engine, scripted] = await Promise.all([searxng(t), Scripted.start(t)]);
  // Nothing else of this machine is to be found.
  const server = await Server.start(t, { environment: { KINSTEAD_LOCAL_SERVERS: '' } });
  const browser = await Browser.start(t, server, { language: 'fr' });
  const { page } = browser;
  const app = new App(browser, 'fr');

  await step('the account is made', async () => {
    await page.goto(await server.setupAddress());
    await app.moveIn(CAMILLE);
    await app.heading('wizard-providers-title').waitFor();
  });

  await step('nobody goes on with nothing to think with', async () => {
    // It says that it does nothing yet, and a press does just that.
    await app.button('continue').click({ force: true });
    const step = await page.evaluate(() => fetch('/api/setup/progress').then(answer => answer.json()));
    assert.deepEqual(step, { step: 'providers' });
    await app.heading('wizard-providers-title').waitFor();
  });

  await step('a bad key is said at its field, and nothing is kept', async () => {
    browser.allow('status: 422 POST /api/providers');
    await choose(app, app.words('provider-kind-compatible'));
    await app.field('field-address').fill(scripted.address);
    await app.field('field-key-optional').fill('not-the-key');
    await app.button('provider-test').click();
    const field = app.field('field-key-optional');
    await page.locator('#provider-key[aria-invalid=true]').waitFor();
    assert.equal(await field.evaluate(element => element === document.activeElement), true, 'the field has the focus');
    await app.text('problem-provider-unauthorized').waitFor();
    assert.equal(await page.locator('.k-wizard__card').count(), 0);
  });

  await step('the right one is tested and kept, and says what it can', async () => {
    await app.field('field-key-optional').fill(KEY);
    await app.button('provider-test').click();
    await page.locator('.k-wizard__card').waitFor();
    await page.locator('.k-coverage__item.is-lit').first().waitFor();
  });

  await step('a reload goes on where it was', async () => {
    await page.reload();
    await page.locator('.k-wizard__card').waitFor();
    await app.button('continue').click();
    // Nothing remembers: going on takes a tap that says so.
    await app.button('wizard-words-only').click();
    await app.heading('wizard-search-title').waitFor();
    await page.reload();
    await app.heading('wizard-search-title').waitFor();
  });

  await step('a search engine is tried with a question', async () => {
    await choose(app, 'SearXNG');
    await app.field('field-address').fill(`http://127.0.0.1:${engine}`);
    await app.button('provider-test').click();
    await app.page.getByText('Wazemmes').waitFor();
    await app.button('continue').click();
    await app.heading('first-kin-title').waitFor();
  });

  await step('a starting point is a whole Kin, and it answers', async () => {
    await page.reload();
    await app.heading('first-kin-title').waitFor();
    await app.field('first-kin-name').fill('Basile');
    await app.button('kin-welcome-name', { name: 'Basile' }).click();
    await app.heading('thread-empty-title', { name: 'Basile' }).waitFor();
    app.kin = { name: 'Basile' };
    await scripted.script({ kind: 'answer', chunks: ['Bienvenue chez vous.'] });
    await app.send('Bonjour');
    await app.rowsWhen('the first answer', rows => assert.equal(rows[1]?.text, 'Bienvenue chez vous.'));
    const [asked] = (await scripted.requests()).slice(-1);
    assert.match(JSON.stringify(asked.body), /Basile/);
  });

  await step('the day is over for good', async () => {
    await app.go('/');
    await app.page.getByRole('navigation').first().waitFor();
    await app.heading('wizard-providers-title').waitFor({ state: 'detached' });
  });
});

test('a first day with a model server on the same machine, and nothing typed', async t => {
  const step = stepsOf(t);
  const port = await ollama(t);
  const server = await Server.start(t, { environment: { KINSTEAD_LOCAL_SERVERS: `ollama=${port}` } });
  const browser = await Browser.start(t, server);
  const app = new App(browser);

  await step('what runs beside is offered', async () => {
    await browser.page.goto(await server.setupAddress());
    await app.moveIn(CAMILLE);
    await app.text('wizard-found', { name: 'Ollama' }).waitFor();
    await app.button('wizard-found-use', { name: 'Ollama' }).click();
    await browser.page.locator('.k-wizard__card').getByText('Ollama', { exact: true }).waitFor();
  });

  await step('it thinks and remembers: the way is free', async () => {
    await app.button('continue').click();
    await app.button('wizard-skip').click();
    await app.heading('first-kin-title').waitFor();
  });

  await step('one may go back', async () => {
    await app.button('back').click();
    await app.heading('wizard-search-title').waitFor();
    await app.button('back').click();
    await app.heading('wizard-providers-title').waitFor();
  });

  await step('another tab that goes on leaves this one where it is', async () => {
    const other = new App(browser, 'en', await browser.context.newPage());
    await other.go('/');
    await other.heading('first-kin-title').waitFor();
    await app.button('continue').click();
    await app.heading('wizard-search-title').waitFor();
  });
});
