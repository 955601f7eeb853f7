// What people do in a thread besides talking: quote, react, pin, leave a draft, and lose the network.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, PHONE, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { BEN, CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

/** The row of the log that says this. */
const rowOf = (app, text) => app.log.locator('.k-logrow').filter({ has: app.page.locator('.k-bubble', { hasText: text }) });

/** Presses a button beside a message. */
async function act(app, text, key) {
  const article = rowOf(app, text).locator('article').first();
  await article.hover();
  await article.getByRole('button', { name: app.words(key), exact: true }).click();
}

/** Whether this device holds a draft that its member's other devices do not know yet. */
async function hasDraftOfItsOwn(app) {
  return app.page.evaluate(async () => {
    const done = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await done(indexedDB.open('kinstead'));
    const keys = await done(database.transaction('rows').objectStore('rows').getAllKeys());
    database.close();
    return keys.some(key => String(key).startsWith('draft|'));
  });
}

test('people quote, react and pin', async t => {
  const step = stepsOf(t);
  const { server, scripted, rest, kin } = await house(t);
  await server.createAdmin(BEN);
  const camille = new App(await Browser.start(t, server));
  const ben = new App(await Browser.start(t, server), 'en');
  for (const [app, person] of [[camille, CAMILLE], [ben, BEN]]) {
    await app.signIn(person);
    await app.open(kin);
  }
  await camille.send('What about soup? [slow 1 0]');
  await ben.shows([['member', 'What about soup? [slow 1 0]'], ['kin', 'part 1 of 1.']]);

  await step('a reply shows what it quotes, and the model is told', async () => {
    await act(ben, 'What about soup?', 'reply');
    await ben.page.getByRole('group', { name: ben.words('replying-to', { name: 'Camille' }) }).waitFor();
    await ben.send('Leek, please [slow 1 0]');
    const reply = rowOf(camille, 'Leek, please').locator('.k-reply');
    await reply.waitFor();
    assert.match(await reply.innerText(), /What about soup\?/);
    await ben.page.locator('.k-replying').waitFor({ state: 'detached' });
    const [call] = await scripted.requestsWith('Leek, please');
    assert.match(JSON.stringify(call.body.messages.at(-1)), /about what Camille wrote: \\+"What about soup\?/);
    const sent = (await rest.thread(kin)).find(message => message.text.startsWith('Leek'));
    const first = (await rest.thread(kin)).find(message => message.text.startsWith('What about'));
    assert.equal(sent.reply_to, first.id);
  });

  await step('pressing the quote shows the message', async () => {
    await rowOf(camille, 'Leek, please').locator('.k-reply').click();
    await eventually('the quoted message has the focus', async () =>
      camille.page.evaluate(() => document.activeElement?.innerText.includes('What about soup')),
    );
  });

  await step('reactions of two people are counted and named', async () => {
    await act(camille, 'part 1 of 1.', 'react');
    await camille.button('react-with', { emoji: '👍' }).first().click();
    const chip = rowOf(ben, 'part 1 of 1.').first().locator('.k-react');
    await chip.waitFor();
    assert.equal(await chip.getAttribute('aria-label'), '👍 Camille');
    await chip.click();
    await eventually('both are named', async () => (await chip.getAttribute('aria-label')) === `👍 ${['Camille', ben.words('you')].join(', ')}`
      || (await chip.getAttribute('aria-label')) === `👍 ${[ben.words('you'), 'Camille'].join(', ')}`);
    assert.equal(await chip.getAttribute('aria-pressed'), 'true');
    await eventually('REST says so', async () => {
      const answer = (await rest.thread(kin)).find(message => message.author.kind === 'kin');
      return answer.reactions.length === 2 && answer.reactions.every(one => one.emoji === '👍');
    });
    const mine = rowOf(camille, 'part 1 of 1.').first().locator('.k-react');
    await eventually('two for Camille', async () => (await mine.innerText()).includes('2'));
    await mine.click();
    await eventually('one is left', async () => (await chip.getAttribute('aria-label')) === `👍 ${ben.words('you')}`);
    const calls = await scripted.requests();
    assert.equal(calls.filter(call => call.body.messages).length, 2, 'a reaction starts no turn');
  });

  await step('a pin is ones own, follows to another device, and leads back', async t => {
    await act(camille, 'What about soup?', 'message-more');
    await camille.button('pin').click();
    await camille.button('pinned-count', { count: 1 }).waitFor();
    const phone = new App(await Browser.start(t, server, { viewport: PHONE, phone: true }));
    await phone.signIn(CAMILLE);
    await phone.open(kin);
    await phone.button('pinned-count', { count: 1 }).click();
    await phone.page.getByRole('dialog').getByText('What about soup?').click();
    await eventually('it has the focus', async () =>
      phone.page.evaluate(() => document.activeElement?.innerText.includes('What about soup')),
    );
    assert.equal(await ben.page.getByText(ben.words('pinned-none')).count(), 1, 'Ben has none');
  });
});

test('a draft follows its member, and nothing of what is typed is lost', async t => {
  const step = stepsOf(t);
  const { server, rest, kin } = await house(t);
  const desk = await Browser.start(t, server);
  desk.allow(SERVER_AWAY);
  const one = new App(desk);
  const two = new App(await Browser.start(t, server, { viewport: PHONE, phone: true }));
  for (const app of [one, two]) {
    await app.signIn(CAMILLE);
    await app.open(kin);
  }
  const reads = (app, text) => eventually(`the composer says ${text}`, async () => (await app.composer.inputValue()) === text);

  await step('what is typed on one device appears on the other', async () => {
    await one.composer.fill('Dear Basile');
    await reads(two, 'Dear Basile');
  });

  await step('the other goes on, and what it types is not overwritten', async () => {
    await two.composer.fill('Dear Basile, on the phone');
    await one.page.locator('#log').focus();
    await reads(one, 'Dear Basile, on the phone');
    await one.composer.focus();
    await one.composer.fill('Dear Basile, at the desk');
    await two.composer.fill('Dear Basile, still on the phone');
    await two.page.locator('#log').focus();
    await eventually('the phone keeps it', () => hasDraftOfItsOwn(two));
    await eventually('the phone has told everyone', async () => !(await hasDraftOfItsOwn(two)));
    await reads(one, 'Dear Basile, at the desk');
    await one.composer.pressSequentially('!');
    await reads(two, 'Dear Basile, at the desk!');
    await reads(one, 'Dear Basile, at the desk!');
  });

  await step('it is in no plain storage, and there after a reload without a network in between', async () => {
    await desk.context.setOffline(true);
    await one.syncs('sync-offline');
    await one.composer.fill('Written in a tunnel');
    await one.page.locator('#log').focus();
    const plain = await one.page.evaluate(() => JSON.stringify({ ...localStorage }));
    assert.doesNotMatch(plain, /tunnel|Dear/);
    await eventually('it is kept', () => hasDraftOfItsOwn(one));
    await desk.context.setOffline(false);
    await one.page.reload();
    await one.composer.waitFor();
    await reads(one, 'Written in a tunnel');
    await reads(two, 'Written in a tunnel');
  });

  await step('sending clears it everywhere', async () => {
    await one.composer.focus();
    await one.composer.press('Enter');
    await reads(one, '');
    await reads(two, '');
    assert.equal((await rest.thread(kin))[0].text, 'Written in a tunnel');
    await one.page.reload();
    await one.composer.waitFor();
    await one.rowsWhen('the thread', rows => rows.length > 0);
    await reads(one, '');
  });
});

test('what was read stays read', async t => {
  const step = stepsOf(t);
  const { server, rest, kin, provider } = await house(t);
  const other = await rest.createKin(provider, { name: 'Lumen' });
  await rest.send(kin, 'Before Ben came [slow 1 0]');
  await rest.answerTo(kin, 'Before Ben came [slow 1 0]');
  await server.createAdmin(BEN);
  const browser = await Browser.start(t, server);
  const app = new App(browser);
  await app.signIn(BEN);
  const badge = app.page.locator('.k-nav--kin', { hasText: 'Basile' }).locator('.k-badge');

  await step('the past is no news to someone who has just come', async () => {
    await app.page.locator('.k-nav--kin', { hasText: 'Basile' }).waitFor();
    await app.syncs('sync-up-to-date');
    assert.equal(await badge.count(), 0);
  });

  await step('an answer that one watches never counts as news', async () => {
    await app.open(kin);
    await app.page.evaluate(() => {
      window.flashed = 0;
      const side = document.querySelector('.k-side');
      new MutationObserver(() => (window.flashed += side.querySelectorAll('.k-badge:not(.k-badge--quiet)').length)).observe(side, { childList: true, subtree: true });
    });
    await app.send('Watched [slow 2 50]');
    await app.rowsWhen('the answer', rows => rows.at(-1)?.text === 'part 1 of 2. part 2 of 2.' && rows.at(-1).state === 'there');
    assert.equal(await app.page.evaluate(() => window.flashed), 0);
  });

  await step('a reload right after reading does not bring it back as news', async () => {
    await app.page.reload();
    await app.composer.waitFor();
    await app.go(`/kin/${other.id}`);
    await app.page.getByRole('heading', { name: 'Lumen', level: 1 }).waitFor();
    await app.syncs('sync-up-to-date');
    assert.equal(await badge.count(), 0);
  });

  await step('another device of the same person knows', async t => {
    const phone = new App(await Browser.start(t, server, { viewport: PHONE, phone: true }));
    await phone.signIn(BEN);
    await phone.page.locator('.k-kinlist').getByText('Basile').waitFor();
    await phone.syncs('sync-up-to-date');
    await eventually('nothing new there', async () => (await phone.page.locator('.k-kinlist .k-badge').count()) === 0);
  });
});

test('without a network the thread says since when, what waits, and offers to try again', async t => {
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  browser.allow(SERVER_AWAY);
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await app.send('Before [slow 1 0]');
  await app.shows([['me', 'Before [slow 1 0]'], ['kin', 'part 1 of 1.']]);
  await browser.context.setOffline(true);
  await app.syncs('sync-offline');
  const lost = app.log.locator('.k-sysline');
  await lost.waitFor();
  assert.match(await lost.innerText(), /^Network lost at \d+:\d\d [ap]m\./);
  await app.page.locator('.k-bar .k-avatar.is-offline').waitFor();
  await app.send('One');
  await app.send('Two');
  await app.page.locator('.k-bar').getByText(app.words('sync-waiting', { count: 2 })).waitFor();
  await app.page.locator('.k-side').getByText(app.words('side-unsent', { count: 2 })).waitFor();

  // The line stands before what waits.
  const order = await app.page.evaluate(() => document.querySelector('#log').innerText);
  assert.ok(order.indexOf('Network lost') < order.indexOf('One') && order.indexOf('part 1') < order.indexOf('Network lost'));

  // The newest unsent message comes back into an empty composer.
  await app.composer.focus();
  await app.composer.press('ArrowUp');
  await eventually('it can be edited', async () => (await app.composer.inputValue()) === 'Two');
  await app.composer.fill('Two, better [slow 1 0]');
  await app.composer.press('Enter');

  await app.button('try-again').click();
  await browser.context.setOffline(false);
  await app.syncs('sync-up-to-date');
  await rest.answerTo(kin, 'Two, better [slow 1 0]');
  const said = (await rest.thread(kin)).filter(message => message.author.kind === 'member').map(message => message.text);
  assert.deepEqual(said, ['Before [slow 1 0]', 'One', 'Two, better [slow 1 0]']);
});

test('the palette and the keyboard lead everywhere', async t => {
  const step = stepsOf(t);
  const { server, rest, kin, provider } = await house(t);
  const zephyr = await rest.createKin(provider, { name: 'Zéphyr', role: 'Travel' });
  await rest.send(zephyr, 'Where is the river? [slow 1 0]');
  await rest.answerTo(zephyr, 'Where is the river? [slow 1 0]');
  const app = new App(await Browser.start(t, server));
  const { page } = app;
  await app.signIn(CAMILLE);
  await app.open(kin);
  const field = page.getByRole('combobox', { name: app.words('palette-field') });
  const chosen = page.locator('[role=option][aria-selected=true]');

  await step('it opens by keys while one types, finds without accents, and marks what was typed', async () => {
    await app.composer.focus();
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await field.fill('zep');
    await chosen.getByText('Zéphyr').first().waitFor();
    assert.equal(await chosen.locator('mark').first().innerText(), 'Zép');
    const id = await field.getAttribute('aria-activedescendant');
    assert.equal(await chosen.getAttribute('id'), id);
  });

  await step('escape gives the focus back', async () => {
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await eventually('the composer has it', () => page.evaluate(() => document.activeElement.id === 'composer'));
  });

  await step('words said before lead to their message', async () => {
    await app.page.locator('.k-side__search').click();
    await field.fill('RIV');
    await page.getByRole('option').filter({ hasText: 'Where is the river?' }).click();
    await eventually('the message has the focus', () =>
      page.evaluate(() => location.pathname.includes('/kin/') && document.activeElement?.innerText.includes('Where is the river')),
    );
    assert.match(page.url(), new RegExp(zephyr.id));
  });

  await step('commands run', async () => {
    await page.keyboard.press('Control+k');
    await field.fill('dark th');
    await page.keyboard.press('Enter');
    await eventually('it is dark', () => page.evaluate(() => document.documentElement.dataset.theme === 'dark'));
    await page.keyboard.press('Control+k');
    await field.fill('francais');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: new App(app.browser, 'fr').words('search') }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('english');
    await page.keyboard.press('Enter');
    await app.button('details').waitFor();
  });

  await step('letters work outside of fields only', async () => {
    await page.locator('#log').focus();
    await page.keyboard.press('j');
    await eventually('a message has the focus', () => page.evaluate(() => document.activeElement.tagName === 'ARTICLE'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: app.words('message-actions') }).waitFor();
    await page.keyboard.press('Escape');
    await eventually('back on the message', () => page.evaluate(() => document.activeElement.tagName === 'ARTICLE'));
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: app.words('keys-title') }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await eventually('the composer has the focus', () => page.evaluate(() => document.activeElement.id === 'composer'));
    await page.keyboard.type('gh?/jk');
    assert.equal(await page.locator('#composer').inputValue(), 'gh?/jk');
    await page.locator('#composer').fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { name: 'Basile', level: 1 }).waitFor();
    await page.locator('#log').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await app.heading('home-kins').waitFor();
  });
});
