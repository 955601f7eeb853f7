// The providers' screen in daily life: trying one again, changing it, choosing what is used where nobody chose, and
// taking one away with open eyes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { KEY, Scripted } from './harness/scripted.mjs';
import { CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

test('providers are tried, changed, chosen and removed', async t => {
  const step = stepsOf(t);
  const { server, rest } = await house(t);
  const second = await Scripted.start(t);
  const browser = await Browser.start(t, server, { still: true });
  const app = new App(browser);
  const { page } = browser;
  await app.signIn(CAMILLE);
  await app.go('/providers');
  const row = name => page.locator('.k-row--provider').filter({ hasText: name });
  const listed = async () => (await rest.ask('GET', '/api/providers')).items;

  await step('another one is added', async () => {
    await app.button('provider-add').first().click();
    await page.locator('#provider-kind').getByText(app.words('provider-kind-compatible'), { exact: true }).click();
    await app.field('field-name').fill('The attic');
    await app.field('field-address').fill(second.address);
    await app.field('field-key-optional').fill(KEY);
    await app.button('provider-test').click();
    await row('The attic').getByText(app.words('provider-connected')).waitFor();
  });

  await step('one that has gone down says so when it is tried again, and so does one that is back', async () => {
    await second.stop();
    browser.allow(/^status: \d+ POST \/api\/providers\/.*\/test$/);
    await app.button('provider-test-of', { name: 'The attic' }).click();
    await row('The attic').getByText(app.words('provider-failing')).waitFor();
    await second.start();
    await app.button('provider-test-of', { name: 'The attic' }).click();
    await row('The attic').getByText(app.words('provider-connected')).waitFor();
  });

  await step('a wrong key is refused at its field and changes nothing; a new name is taken', async () => {
    browser.allow(/^status: 422 PATCH \/api\/providers\//);
    await app.button('provider-edit-of', { name: 'The attic' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('#provider-name').fill('The cellar');
    await dialog.locator('#provider-key').fill('not-the-key');
    await dialog.getByRole('button', { name: app.words('provider-test'), exact: true }).click();
    await dialog.locator('#provider-key[aria-invalid=true]').waitFor();
    assert.deepEqual((await listed()).map(({ name }) => name).sort(), ['Scripted', 'The attic']);
    await dialog.locator('#provider-key').fill('');
    await dialog.getByRole('button', { name: app.words('provider-test'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('The cellar').waitFor();
  });

  await step('what a new Kin thinks with is chosen once for all', async () => {
    const chat = page.locator('#default-chat');
    await chat.selectOption({ label: 'The cellar' });
    const cellar = (await listed()).find(({ name }) => name === 'The cellar');
    await eventually('the choice is kept', async () =>
      (await rest.ask('GET', '/api/providers/defaults')).chat?.provider_id === cellar.id);
    await app.go('/kin/new');
    await page.locator(`#kin-provider`).waitFor();
    await eventually('a new Kin begins with it', async () => (await page.locator('#kin-provider').inputValue()) === cellar.id);
  });

  await step('nothing is removed before it is said what stops', async () => {
    await app.go('/providers');
    await app.button('provider-delete-of', { name: 'Scripted' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Basile/).waitFor();
    await dialog.getByRole('button', { name: app.words('keep'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await listed()).length, 2);
    await app.button('provider-delete-of', { name: 'Scripted' }).click();
    await dialog.getByText(/Basile/).waitFor();
    await dialog.locator('.k-btn--danger').click();
    await row('Scripted').waitFor({ state: 'detached' });
    assert.deepEqual((await listed()).map(({ name }) => name), ['The cellar']);
  });
});
