// Kins as people care for them: welcomed, dressed, put in order, put away, deleted and brought back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, PHONE } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { assertNone, look } from './harness/look.mjs';
import { BEN, CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

/** A photo of 2400 × 1800 pixels, drawn by a browser: red above, blue below. */
async function photo(page) {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2400, 1800];
    const brush = canvas.getContext('2d');
    for (const [colour, top] of [['#c02020', 0], ['#2020c0', 900]]) {
      brush.fillStyle = colour;
      brush.fillRect(0, top, 2400, 900);
    }
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
  });
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(data, 'base64') };
}

/** The names in the sidebar, in order. */
const sidebar = page => page.locator('.k-side .k-nav--kin b').allInnerTexts();

test('a Kin is welcomed from a starting point, in French and in English', async t => {
  const { server, rest } = await house(t);
  for (const [language, begin, name] of [['fr', 'begin-travel', 'Zéphyr'], ['en', 'begin-budget', 'Noisette']]) {
    const browser = await Browser.start(t, server, { language, viewport: PHONE, phone: true });
    const app = new App(browser, language);
    await app.signIn(CAMILLE);
    await browser.page.locator('[data-account=bar] > button').click();
    await browser.page.getByRole('radio', { name: language === 'fr' ? 'Français' : 'English', exact: true }).click();
    await browser.page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
    await app.go('/kin/new');
    const radio = key => browser.page.getByRole('radio', { name: app.words(key), exact: true });
    await radio('begin-garden').click();
    await app.field('field-name').and(browser.page.locator('input')).waitFor();
    assert.equal(await app.field('field-name').inputValue(), app.words('begin-garden-name'));
    // What a person writes themselves stays when they look at another starting point.
    await app.field('field-character').fill('Mine.');
    await radio(begin).click();
    await eventually('the other name', async () => (await app.field('field-name').inputValue()) === name);
    assert.equal(await app.field('field-character').inputValue(), 'Mine.');
    assert.equal(await app.field('field-expertise').inputValue(), app.words(`${begin}-expertise`));
    // Leaving and coming back loses nothing.
    await app.go('/');
    await app.go('/kin/new');
    await eventually('the form as it was left', async () => (await app.field('field-character').inputValue()) === 'Mine.');
    await app.field('field-model').waitFor();
    await app.button('kin-welcome-name', { name }).click();
    await browser.page.waitForURL(/\/kin\/kin_/);
    const made = (await rest.ask('GET', '/api/kins')).items.find(kin => kin.name === name);
    assert.equal(made.character, 'Mine.');
    assert.equal(made.role, app.words(`${begin}-role`));
    assert.equal(made.expertise, app.words(`${begin}-expertise`));
  }
});

test('a face of one’s own is seen by everybody, and what is no picture is told apart', async t => {
  const { server, kin } = await house(t);
  await server.createAdmin(BEN);
  const [camille, ben] = await Promise.all([Browser.start(t, server), Browser.start(t, server)]);
  const [mine, his] = [new App(camille), new App(ben)];
  await Promise.all([mine.signIn(CAMILLE), his.signIn(BEN)]);
  await his.go('/');
  await mine.go(`/kin/${kin.id}/settings`);
  await mine.field('field-character').and(camille.page.locator(':enabled')).waitFor();
  const input = camille.page.locator('#kin-picture-file');

  camille.allow('status: 422 POST /api/pictures');
  await input.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html><p>hello') });
  await mine.text('problem-picture-unreadable').waitFor();
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await mine.text('problem-picture-type-unsupported').waitFor();

  await input.setInputFiles(await photo(camille.page));
  const preview = camille.page.locator('.k-picture__now img');
  await preview.waitFor();
  assert.equal(await mine.text('problem-picture-type-unsupported').count(), 0);
  const size = await preview.evaluate(async image => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  assert.deepEqual(size, [512, 512]);
  await camille.page.getByRole('radio', { name: mine.words('hue-sky') }).click();
  await mine.button('save').click();
  await mine.text('saved').first().waitFor();
  const seen = ben.page.locator('.k-side .k-nav--kin[data-hue=sky] img[src^="/api/pictures/pic_"]');
  await seen.waitFor();
  assert.ok(await seen.evaluate(image => image.decode().then(() => image.naturalWidth === 512)));

  // From the clipboard, too.
  await camille.page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 64;
    const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
    const data = new DataTransfer();
    data.items.add(new File([blob], 'paste.png', { type: 'image/png' }));
    window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await eventually('another picture', async () => preview.evaluate(image => image.complete && image.naturalWidth === 64));
});

test('what is changed in the settings survives leaving them, and texts are kept as they are written', async t => {
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  const app = new App(browser);
  const { page } = browser;
  await app.signIn(CAMILLE);
  const settings = async () => {
    await app.go(`/kin/${kin.id}/settings`);
    await app.field('field-character').and(page.locator(':enabled')).waitFor();
  };
  const character = async () => (await rest.ask('GET', `/api/kins/${kin.id}`)).character;
  await settings();
  await app.field('field-name').fill('Basilio');
  await app.text('kin-changed').waitFor();
  await app.field('field-character').fill('Patient. And funny.');
  await eventually('the text on the server', async () => (await character()) === 'Patient. And funny.');
  // In the middle of a word.
  await app.field('field-character').fill('Patient. And very funny.');
  await page.getByRole('link', { name: app.words('kin-talk') }).click();
  await eventually('all of it', async () => (await character()) === 'Patient. And very funny.');
  assert.equal((await rest.ask('GET', `/api/kins/${kin.id}`)).name, 'Basile');

  // Somebody else changes the role meanwhile; both are there after a reload.
  await rest.ask('PATCH', `/api/kins/${kin.id}`, { role: 'Soups' });
  await settings();
  await eventually('both', async () => (await app.field('field-role').inputValue()) === 'Soups');
  assert.equal(await app.field('field-name').inputValue(), 'Basilio');
  await app.button('save').click();
  await eventually('saved', async () => (await rest.ask('GET', `/api/kins/${kin.id}`)).name === 'Basilio');
  await app.text('kin-changed').waitFor({ state: 'detached' });
  await app.field('field-name').fill('Nobody');
  await app.button('discard-changes').click();
  assert.equal(await app.field('field-name').inputValue(), 'Basilio');
  await settings();
  assert.equal(await app.field('field-name').inputValue(), 'Basilio');
  // A name that cannot be is told at its field.
  await app.field('field-name').fill('  ');
  await app.button('save').click();
  await eventually('the mistake', async () => (await app.field('field-name').getAttribute('aria-invalid')) === 'true');
});

test('the order is changed by keyboard and seen by everybody', async t => {
  const { server, rest, provider } = await house(t);
  await server.createAdmin(BEN);
  for (const name of ['Lumen', 'Zephyr']) await rest.createKin(provider, { name });
  const [camille, ben] = await Promise.all([Browser.start(t, server), Browser.start(t, server)]);
  const [mine, his] = [new App(camille), new App(ben)];
  await Promise.all([mine.signIn(CAMILLE), his.signIn(BEN)]);
  await mine.button('kins-order').click();
  await mine.heading('kins-order').waitFor();
  const up = mine.button('kins-order-up', { name: 'Zephyr' });
  await up.focus();
  await camille.page.keyboard.press('Enter');
  await mine.text('kins-order-said', { name: 'Zephyr', place: 2, count: 3 }).waitFor({ state: 'attached' });
  await eventually('the focus on the row that moved', () => up.evaluate(button => button === document.activeElement));
  await camille.page.keyboard.press('Enter');
  await camille.page.keyboard.press('Enter');
  for (const { page } of [camille, ben]) {
    await eventually('the new order', async () => assert.deepEqual(await sidebar(page), ['Zephyr', 'Basile', 'Lumen']) ?? true);
  }
  // By dragging, too.
  await camille.page.locator('.k-order > li').nth(2).dragTo(camille.page.locator('.k-order > li').nth(0));
  await eventually('what was dragged first', async () => assert.deepEqual(await sidebar(ben.page), ['Lumen', 'Zephyr', 'Basile']) ?? true);
  await mine.button('kins-order-done').click();
});

test('a Kin is put away, deleted by its name, and comes back with its thread', async t => {
  const step = stepsOf(t);
  const { server, rest, scripted, kin } = await house(t);
  await server.createAdmin(BEN);
  await scripted.script({ kind: 'answer', chunks: ['Soup.'] });
  await rest.send(kin, 'What do we eat?');
  await rest.answerTo(kin, 'What do we eat?');
  const [camille, ben] = await Promise.all([Browser.start(t, server), Browser.start(t, server, { language: 'fr' })]);
  const [mine, his] = [new App(camille), new App(ben, 'fr')];
  await Promise.all([mine.signIn(CAMILLE), his.signIn(BEN)]);
  // Their account says English until they choose.
  his.words = mine.words;
  const thread = [['me', 'What do we eat?'], ['kin', 'Soup.']];
  await his.open(kin);

  await step('put away: out of the lists, readable, and no composer', async () => {
    await mine.go(`/kin/${kin.id}/settings`);
    await mine.button('kin-archive', { name: 'Basile' }).click();
    await mine.text('kin-archived-title', { name: 'Basile' }).waitFor();
    for (const { page } of [camille, ben]) await eventually('an empty list', async () => (await sidebar(page)).length === 0);
    await his.text('kin-archived-title', { name: 'Basile' }).waitFor();
    assert.equal(await his.composer.count(), 0);
    await his.shows([['member', 'What do we eat?'], ['kin', 'Soup.']]);
  });

  await step('brought back from the home screen', async () => {
    await mine.go('/');
    await mine.text('kins-away', { count: 1 }).click();
    await mine.button('kin-bring-back-name', { name: 'Basile' }).click();
    await his.composer.waitFor();
    assert.deepEqual(await sidebar(camille.page), ['Basile']);
  });

  await step('deleting wants the name and says what goes', async () => {
    await mine.go(`/kin/${kin.id}/settings`);
    await mine.text('kin-messages', { count: 2, shown: '2' }).waitFor();
    await mine.button('kin-delete-name', { name: 'Basile' }).click();
    await mine.heading('kin-delete-title', { name: 'Basile' }).waitFor();
    await camille.page.getByText('2 messages since').waitFor();
    const field = mine.field('kin-delete-type', { name: 'Basile' });
    await field.fill('Basil');
    await mine.button('kin-delete').click();
    await mine.text('mistake-name-differs', { name: 'Basile' }).waitFor();
    assert.equal((await rest.ask('GET', '/api/kins')).items.length, 1);
    await field.fill('Basile');
    await mine.button('kin-delete').click();
    await mine.text('kin-deleted-days', { count: 30 }).waitFor();
    // Whoever looked at it is told at once.
    await his.heading('kin-removed-title').waitFor();
  });

  await step('undone with everything', async () => {
    await mine.button('kin-bring-back-name', { name: 'Basile' }).click();
    await eventually('it is back', async () => (await sidebar(camille.page)).length === 1);
    await his.composer.waitFor();
    await mine.open(kin);
    await mine.shows(thread);
  });
});

test('the screens of Kins are accessible and fit', async t => {
  const { server, rest, provider, kin } = await house(t);
  for (const name of ['Lumen', 'Zephyr', 'Octave']) await rest.createKin(provider, { name });
  const kins = (await rest.ask('GET', '/api/kins')).items;
  await rest.ask('POST', `/api/kins/${kins[2].id}/archive`);
  await rest.ask('DELETE', `/api/kins/${kins[3].id}`);
  const browser = await Browser.start(t, server, { still: true });
  await new App(browser).signIn(CAMILLE);
  const findings = [];
  const see = async (app, screen, arrange) => findings.push(...(await look(app, screen, arrange)));
  for (const [language, name] of [['fr', 'Français'], ['en', 'English']]) {
    const app = new App(browser, language);
    const { page } = browser;
    await app.go('/');
    await page.locator('[data-account=side] > button').click();
    await page.getByRole('radio', { name, exact: true }).click();
    await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await app.text('kins-away', { count: 2 }).waitFor();
    await see(app, 'home-away');
    await app.button('kins-order').click();
    await see(app, 'kins-order');
    await app.go(`/kin/${kin.id}/settings`);
    await app.field('field-character').and(page.locator(':enabled')).waitFor();
    await app.field('field-name').fill('Somebody else');
    await app.text('kin-changed').waitFor();
    await see(app, 'kin-settings-changed');
    await app.button('discard-changes').click();
    await app.go(`/kin/${kins[2].id}`);
    await app.text('kin-archived-title', { name: kins[2].name }).waitFor();
    await see(app, 'thread-archived');
    await app.go(`/kin/${kins[2].id}/settings`);
    await app.field('field-character').and(page.locator(':enabled')).waitFor();
    await see(app, 'kin-settings-archived');
  }
  assertNone(findings);
});
