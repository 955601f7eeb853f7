// Words that are taken away go from everybody's screen and device, also from one that was away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { assertNone, look } from './harness/look.mjs';
import { BEN, CAMILLE } from './harness/server.mjs';
import { stepsOf } from './harness/wait.mjs';

const SECRET = 'the gate code is 4471-quince';

const rowOf = (app, text) => app.log.locator('.k-logrow').filter({ has: app.page.locator('.k-bubble', { hasText: text }) });

/** Opens everything that can be done with a message. */
async function more(app, text) {
  const article = rowOf(app, text).locator('article').first();
  await article.hover();
  await article.getByRole('button', { name: app.words('message-more'), exact: true }).click();
}

test('a message is removed for everyone', async t => {
  const step = stepsOf(t);
  const { server, rest, kin } = await house(t);
  await server.createAdmin(BEN, 'fr');
  const here = await Browser.start(t, server, { still: true });
  const away = await Browser.start(t, server, { language: 'fr' });
  away.allow(SERVER_AWAY);
  const [camille, ben] = [new App(here), new App(away, 'fr')];
  for (const [app, person] of [[camille, CAMILLE], [ben, BEN]]) {
    await app.signIn(person);
    await app.open(kin);
  }
  await camille.send(`${SECRET} [slow 1 0]`);
  await ben.shows([['member', `${SECRET} [slow 1 0]`], ['kin', 'part 1 of 1.']]);

  await step('somebody else is away, with a reply half written to it', async () => {
    await away.context.setOffline(true);
    await ben.syncs('sync-offline');
    await ben.send('Merci, je le note');
    await rowOf(ben, 'Merci, je le note').waitFor();
  });

  await step('its author is asked twice', async () => {
    await more(camille, SECRET);
    await camille.button('redact').click();
    await camille.heading('redact-title').waitFor();
    assertNone(await look(camille, 'redact'));
    await camille.button('cancel').click();
    await rowOf(camille, SECRET).waitFor();
    await more(camille, SECRET);
    await camille.button('redact').click();
    await camille.heading('redact-title').waitFor();
    await camille.button('redact').click();
    await camille.log.getByText(camille.words('message-redacted')).waitFor();
    assert.equal(await rowOf(camille, SECRET).count(), 0);
    assert.ok(!(await here.page.content()).includes(SECRET));
    assertNone(await look(camille, 'thread-redacted'));
  });

  await step('the device that was away forgets it too, and what was written there arrives once', async () => {
    await away.context.setOffline(false);
    await ben.log.getByText(ben.words('message-redacted')).waitFor();
    assert.ok(!(await away.page.content()).includes(SECRET));
    await rest.answerTo(kin, 'Merci, je le note');
    const said = (await rest.thread(kin)).map(({ text, state }) => [text, state]);
    assert.deepEqual(said.slice(0, 2), [['', 'redacted'], ['part 1 of 1.', 'done']]);
    assert.equal(said.filter(([text]) => text === 'Merci, je le note').length, 1);
  });

  await step('after a reload it is as it was', async () => {
    await here.page.reload();
    await camille.log.getByText(camille.words('message-redacted')).waitFor();
    assert.equal(await rowOf(camille, SECRET).count(), 0);
  });
});
