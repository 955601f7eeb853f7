// The main job, from an empty folder to a household whose devices agree.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, asShown } from './harness/app.mjs';
import { Browser, PHONE, SERVER_AWAY } from './harness/browser.mjs';
import { Rest } from './harness/rest.mjs';
import { Scripted } from './harness/scripted.mjs';
import { BEN, CAMILLE, Server } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

test('a household writes to a Kin and every device sees the answer', async t => {
  const step = stepsOf(t);
  const server = await Server.start(t);
  const first = await Browser.start(t, server);
  const camille = new App(first);
  let kin;

  await step('the printed address leads to the first account', async () => {
    await first.page.goto(await server.setupAddress());
    await camille.heading('setup-title').waitFor();
    assert.equal(await first.page.evaluate(() => location.hash), '', 'the code has left the address bar');
    assert.equal(await camille.field('field-code').count(), 0, 'nobody is asked for the code they came with');
    await camille.moveIn(CAMILLE);
    await camille.heading('wizard-providers-title').waitFor();
  });

  await step('Demo is connected and a Kin moves in', async () => {
    await camille.button('demo-add').click();
    // Demo remembers nothing: going on without memory takes a tap that says so.
    await camille.button('continue').click();
    await camille.button('wizard-words-only').click();
    await camille.heading('wizard-search-title').waitFor();
    await first.page.reload();
    await camille.heading('wizard-search-title').waitFor();
    await camille.button('wizard-skip').click();
    await camille.heading('first-kin-title').waitFor();
    await camille.field('first-kin-name').fill('Basile');
    await camille.field('first-kin-role').fill('Meals and nutrition');
    await camille.field('first-kin-character').fill('Patient, never preachy.');
    await camille.field('field-expertise').fill('Weekly menus.');
    await camille.button('kin-welcome-name', { name: 'Basile' }).click();
    await camille.heading('thread-empty-title', { name: 'Basile' }).waitFor();
    kin = { name: 'Basile', id: first.page.url().split('/').at(-1) };
    camille.kin = kin;
  });

  await step('the answer streams in', async () => {
    await camille.send('Hello, please write some code');
    const writing = camille.writing;
    await writing.locator('.k-bubble').waitFor();
    const caret = writing.locator('.k-caret');
    await caret.waitFor({ state: 'attached' });
    const lengths = [];
    while (await writing.count()) {
      const text = await writing.locator('.k-bubble').innerText({ timeout: 500 }).catch(() => '');
      if (text.length > (lengths.at(-1) ?? 0)) lengths.push(text.length);
    }
    assert.ok(lengths.length >= 3, `the text grows: ${lengths}`);
    assert.equal(await caret.count(), 0);
    const rows = await camille.rowsWhen('the whole answer', rows => rows[1]?.state === 'there');
    assert.deepEqual(rows.map(row => row.by), ['me', 'kin']);
    assert.match(rows[1].text, /This is Demo: a fixed script, not an AI/);
    const code = camille.log.locator('pre');
    assert.match(await code.innerText(), /^fn main\(\) \{/);
    assert.equal(await first.page.title(), camille.words('title-thread', { name: 'Basile' }));
  });

  await server.createAdmin(BEN, 'fr');
  const rest = new Rest(server, await server.createToken(CAMILLE));
  const me = await rest.me();
  const ben = { me: await new Rest(server, await server.createToken(BEN)).me() };
  const second = await Browser.start(t, server, { language: 'fr' });
  const french = new App(second, 'fr');

  await step('a second browser, in French, has the history', async () => {
    await french.signIn(BEN);
    await french.page.getByRole('link', { name: /^Basile/ }).first().click();
    french.kin = kin;
    await french.composer.waitFor();
    const answer = (await camille.rows())[1].text;
    await french.shows([['member', 'Hello, please write some code'], ['kin', answer]]);
  });

  await step('what one writes, the other sees, while it is being written', async () => {
    await french.send('Bonjour, écris du code');
    await camille.rowsWhen("Ben's message", rows => rows.some(row => row.by === 'member' && row.text === 'Bonjour, écris du code'));
    await Promise.all([camille.writing.locator('.k-bubble').waitFor(), french.writing.locator('.k-bubble').waitFor()]);
    await Promise.all([camille.writing.waitFor({ state: 'detached' }), french.writing.waitFor({ state: 'detached' })]);
    const [seen, own] = [await camille.rows(), await french.rows()];
    assert.equal(seen.length, 4);
    assert.deepEqual(seen.map(row => row.text), own.map(row => row.text));
    assert.match(own[3].text, /Ceci est Demo : un script figé, pas une IA/);
  });

  const scripted = await Scripted.start(t);
  const provider = await rest.connect(scripted);
  const lumen = await rest.createKin(provider, { name: 'Lumen', role: 'Light' });

  await step('a new Kin appears on every device', async () => {
    for (const app of [camille, french]) {
      await app.page.getByRole('link', { name: /^Lumen/ }).first().click();
      app.kin = lumen;
      await app.composer.waitFor();
    }
  });

  await step('a device that joins midway has the whole text', async t => {
    await scripted.script({ kind: 'gated', chunks: ['One. ', 'Two. ', 'Three. ', 'Four.'], gate: 'join' });
    await camille.send('Count, please');
    await scripted.requestsWith('Count, please');
    await scripted.release(2, 'join');
    for (const app of [camille, french]) {
      await app.rowsWhen('the first half', rows => rows.at(-1).text === 'One. Two.');
    }
    const third = await Browser.start(t, server, { viewport: PHONE, phone: true });
    const phone = new App(third);
    await phone.signIn(CAMILLE);
    await phone.page.getByRole('main').getByRole('link', { name: /Lumen/ }).click();
    phone.kin = lumen;
    const rows = await phone.rowsWhen('the first half', rows => rows.length === 2 && rows[1].text === 'One. Two.');
    assert.deepEqual(rows.map(({ by, state }) => [by, state]), [['me', 'there'], ['kin', 'writing']]);
    await scripted.release(1, 'join');
    for (const app of [camille, french, phone]) {
      await app.rowsWhen('the third part', rows => rows.at(-1).text === 'One. Two. Three.' && rows.at(-1).state === 'writing');
    }
    await scripted.release(1, 'join');
    for (const app of [camille, french, phone]) {
      await app.rowsWhen('the end', rows => rows.length === 2 && rows[1].text === 'One. Two. Three. Four.' && rows[1].state === 'there');
    }
  });

  await step('the server is killed in the middle of an answer, and everything is there once', async () => {
    for (const browser of [first, second]) browser.allow(SERVER_AWAY);
    const question = 'A slow one [slow 60 40]';
    await french.send(question);
    const half = rows => /part 12 of 60/.test(rows.at(-1).text);
    await Promise.all([camille, french].map(app => app.rowsWhen('part 12', half)));
    await server.kill();
    // Nobody touches the browsers from here on.
    await Promise.all([camille.syncs('sync-offline'), french.syncs('sync-offline')]);
    await server.start();
    await Promise.all([camille.syncs('sync-up-to-date'), french.syncs('sync-up-to-date')]);

    const answer = await rest.answerTo(lumen, question);
    const whole = Array.from({ length: 60 }, (_, at) => `part ${at + 1} of 60.`).join(' ');
    assert.deepEqual([answer.state, answer.text.trim()], ['done', whole]);
    const thread = await rest.thread(lumen);
    assert.equal(thread.length, 4);
    await camille.shows(asShown(thread, me));
    await french.shows(asShown(thread, ben.me));
    const requests = await scripted.requestsWith(question, 2);
    assert.equal(requests.length, 2, 'the call was made again, once');
  });

  await step('what is new is marked until it is read', async () => {
    const link = name => camille.page.getByRole('navigation').getByRole('link', { name }).first();
    await link(/^Basile/).click();
    camille.kin = kin;
    await camille.composer.waitFor();
    await french.send('Et encore [slow 1 0]');
    const badge = link(/^Lumen/).getByText(camille.words('badge-unread', { count: 2 }));
    await badge.waitFor();
    await link(/^Lumen/).click();
    camille.kin = lumen;
    await camille.log.getByRole('separator', { name: camille.words('unread') }).waitFor();
    await badge.waitFor({ state: 'detached' });
  });

  await step('the log holds nothing anyone said', async () => {
    await eventually('the log', () => server.log.includes('listening'));
    for (const secret of ['Count, please', 'A slow one', 'part 12', 'Bonjour', CAMILLE.password, 'test-key']) {
      assert.ok(!server.log.includes(secret), secret);
    }
  });
});
