// Wrong input and failing providers: a sentence a person can act on, and nothing lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { KEY, Scripted } from './harness/scripted.mjs';
import { CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

const MOST_BYTES = 64 * 1024;

test('mistakes are answered with a sentence and change nothing', async t => {
  const step = stepsOf(t);
  const { server, scripted, rest, provider, kin } = await house(t);
  const browser = await Browser.start(t, server);
  const app = new App(browser);
  const { page } = browser;

  await step('a wrong password', async () => {
    browser.allow('status: 401 POST /api/auth/login');
    await app.go();
    await app.heading('sign-in-title').waitFor();
    await app.button('sign-in-submit').click();
    await app.text('mistake-email').waitFor();
    assert.ok(await app.field('field-email').evaluate(field => field === document.activeElement), 'the field has the focus');
    for (const mistaken of [{ email: CAMILLE.email, password: 'wrong' }, { email: 'nobody@example.org', password: 'wrong' }]) {
      await app.fillSignIn(mistaken);
      await app.text('problem-sign-in-failed').waitFor();
      assert.equal(await app.field('field-email').inputValue(), mistaken.email);
    }
    await app.fillSignIn(CAMILLE);
    await page.getByRole('navigation').first().waitFor();
  });

  await step('a provider that does not work is not kept', async () => {
    browser.allow('status: 422 POST /api/providers');
    await app.go('/providers');
    await app.button('provider-add').click();
    await app.page.locator('#provider-kind').getByText(app.words('provider-kind-compatible'), { exact: true }).click();
    const attempt = async (address, key) => {
      await app.field('field-address').fill(address);
      await app.field('field-key-optional').fill(key);
      await app.button('provider-test').click();
    };
    const refused = async (field, words) => {
      const described = await eventually(words, async () => {
        const hint = await app.field(field).getAttribute('aria-describedby');
        const text = hint && (await page.locator(`#${hint}`).innerText());
        return text === app.words(words);
      });
      assert.ok(described);
      assert.equal(await app.field(field).getAttribute('aria-invalid'), 'true');
    };
    await attempt('localhost', KEY);
    await refused('field-address', 'mistake-address');
    await attempt(scripted.address, 'not-the-key');
    await refused('field-key-optional', 'problem-provider-unauthorized');
    const gone = await Scripted.start(t);
    await gone.stop();
    await attempt(gone.address, KEY);
    await refused('field-address', 'problem-provider-unreachable');
    // Something that answers, but with pages: our own server.
    await attempt(`${server.url}/`, KEY);
    await refused('field-address', 'problem-provider-malformed');
    assert.equal((await rest.ask('GET', '/api/providers')).items.length, 1, 'none was kept');
    assert.equal(await app.field('field-key-optional').inputValue(), KEY, 'what was typed is still there');
    await app.button('cancel').click();
  });

  await step('an empty message cannot be sent', async () => {
    await app.open(kin);
    assert.ok(await app.button('send').isDisabled());
    await app.composer.fill(' \n ');
    assert.ok(await app.button('send').isDisabled());
    await app.composer.press('Enter');
    await app.composer.fill('x');
    assert.ok(await app.button('send').isEnabled());
    await app.composer.fill('');
    assert.deepEqual(await rest.thread(kin), []);
  });

  await step('a message that is too long is kept, and sent once it is shorter', async () => {
    const long = 'é'.repeat(MOST_BYTES / 2 + 700);
    await app.send(long);
    await app.text('composer-too-long', { over: 2 }).waitFor();
    assert.equal((await app.composer.inputValue()).length, long.length);
    assert.deepEqual(await rest.thread(kin), []);
    const most = 'é'.repeat(MOST_BYTES / 2);
    await scripted.script({ kind: 'answer', chunks: ['Long.'] });
    await app.send(most);
    assert.equal(await app.text('composer-too-long', { over: 2 }).count(), 0);
    await app.shows([['me', most], ['kin', 'Long.']]);
    assert.equal(await app.composer.inputValue(), '');
  });

  const echoes = (row, text) => row.state === 'there' && row.text.startsWith('You said: ') && row.text.includes(text);
  /** Makes a Kin of its own for one failure, so that it can be watched alone. */
  const kinOf = (name, from = provider) => rest.createKin(from, { name });
  const card = (title, ...sentence) => rows => {
    const last = rows.at(-1).failure;
    for (const words of [app.words(`${title}-title`), ...sentence]) assert.ok(last.includes(words), `${words} in ${last}`);
  };

  await step('failures that no patience helps have their sentence, and trying again works', async () => {
    for (const [name, script, key] of [
      ['Unauthorized', { kind: 'unauthorized' }, 'failure-unauthorized'],
      ['Gone', { kind: 'model_not_found' }, 'failure-model-not-found'],
      ['Full', { kind: 'context_too_long' }, 'failure-context-too-long'],
    ]) {
      const other = await kinOf(name);
      await app.open(other);
      await scripted.script(script);
      await app.send(`Hello ${name}`);
      await app.rowsWhen(key, card(key, app.words(key, { provider: 'Scripted' })));
      assert.equal((await rest.answerTo(other, `Hello ${name}`)).state, 'failed');
      await scripted.script({ kind: 'answer', chunks: ['It works.'] });
      await app.button('retry').click();
      await app.shows([['me', `Hello ${name}`], ['kin', 'It works.']]);
    }
  });

  await step('a rate limit says when it goes on, and goes on', async () => {
    const other = await kinOf('Limited');
    await app.open(other);
    await app.send('Slowly [rate-limit 4 1]');
    const seconds = await app.rowsWhen('the countdown', card('failure-rate-limited', 'Limited goes on in'));
    assert.match(seconds.at(-1).failure, /Limited goes on in [1-4] seconds?\. Nothing is lost/);
    await page.getByRole('link', { name: /^Limited/ }).filter({ hasText: app.words('activity-retrying') }).first().waitFor();
    await app.rowsWhen('the answer', rows => rows.length === 2 && echoes(rows[1], 'Slowly'));
  });

  await step('failures that patience may help are tried again, then said, and trying again works', async t => {
    const down = await Scripted.start(t);
    const away = await rest.connect(down, 'Shed');
    const nonsense = await Scripted.start(t);
    const odd = await rest.connect(nonsense, 'Attic');
    const kins = { cut: await kinOf('Cut'), down: await kinOf('Down', away), odd: await kinOf('Odd', odd) };
    await down.stop();
    await scripted.script(...Array(4).fill({ kind: 'cut_stream', chunks: ['Half a sen'] }));
    await nonsense.script(...Array(4).fill({ kind: 'garbage_json' }));
    // All at once: four calls each, with growing pauses.
    // Opening loads the page anew: what has not reached the device's store by then is still a draft.
    await app.open(kins.odd);
    await app.send('Hello Odd');
    await app.rowsWhen('the message', rows => rows.length > 0);
    await app.open(kins.down);
    await app.send('Hello Down');
    await app.rowsWhen('the message', rows => rows.length > 0);
    await app.open(kins.cut);
    await app.send('Hello Cut');
    await app.rowsWhen('the first pause', card('failure-cut-short', app.words('failure-cut-short', { provider: 'Scripted' }), 'Cut goes on'));

    await app.rowsWhen('the end of patience', rows => {
      assert.equal(rows.at(-1).state, 'failed');
      card('failure-cut-short', app.words('failure-cut-short', { provider: 'Scripted' }), app.words('retry'))(rows);
    });
    assert.ok((await app.rows()).at(-1).text.startsWith('Half a sen'), 'what had come is kept');
    await app.button('retry').click();
    await app.rowsWhen('the answer after all', rows => rows.length === 2 && echoes(rows[1], 'Hello Cut'));

    await app.open(kins.down);
    await app.rowsWhen('unreachable', card('failure-unreachable', app.words('failure-unreachable', { provider: 'Shed' }), app.words('retry')));
    await down.start();
    await app.button('retry').click();
    await app.rowsWhen('the answer after all', rows => rows.length === 2 && echoes(rows[1], 'Hello Down'));

    await app.open(kins.odd);
    await app.rowsWhen('malformed', card('failure-malformed', app.words('failure-malformed', { provider: 'Attic' }), app.words('retry')));
    await app.button('retry').click();
    await app.rowsWhen('the answer after all', rows => rows.length === 2 && echoes(rows[1], 'Hello Odd'));
  });

  await step('stop keeps what has come', async () => {
    const other = await kinOf('Halted');
    await app.open(other);
    await scripted.script({ kind: 'gated', chunks: ['Kept. ', 'Never said.'], gate: 'stop' });
    await app.send('Stop me');
    await scripted.release(1, 'stop');
    await app.writing.getByText('Kept.').waitFor();
    await app.button('stop').click();
    await app.log.getByText(app.words('answer-stopped'), { exact: true }).waitFor();
    await app.shows([['me', 'Stop me'], ['kin', 'Kept.']]);
    const answer = await rest.answerTo(other, 'Stop me');
    assert.deepEqual([answer.state, answer.text.trim()], ['stopped', 'Kept.']);
    await eventually('the provider is hung up on', async () => (await scripted.requestsWith('Stop me')).at(-1).state === 'abandoned');
    await app.button('retry').click();
    await app.rowsWhen('a new answer', rows => rows.length === 2 && echoes(rows[1], 'Stop me'));
  });

  await step('a waiting message can be taken back', async () => {
    const other = await kinOf('Busy');
    await app.open(other);
    await scripted.script({ kind: 'gated', chunks: ['First.'], gate: 'busy' });
    await app.send('One');
    await app.writing.waitFor();
    await app.send('Two');
    await app.send('Three');
    await app.text('own-waiting', { place: 2 }).waitFor();
    await app.text('bar-writing-waiting', { count: 2 }).waitFor();
    const two = app.log.getByRole('article').filter({ hasText: /Two/ });
    await two.getByText(app.words('own-waiting', { place: 1 })).waitFor();
    await two.getByRole('button', { name: app.words('withdraw') }).click();
    await app.log.getByText(app.words('own-waiting', { place: 1 })).waitFor();
    await scripted.release(1, 'busy');
    await app.rowsWhen('both answers', rows => {
      assert.deepEqual(rows.map(row => row.by), ['me', 'kin', 'me', 'kin']);
      assert.deepEqual(rows.slice(0, 3).map(row => row.text), ['One', 'First.', 'Three']);
    });
    assert.ok((await scripted.requests()).every(({ body }) => !JSON.stringify(body).includes('Two')), 'no model ever read it');
  });

  await step('a Kin that is removed elsewhere leaves no broken screen', async () => {
    const other = await kinOf('Leaving');
    await app.open(other);
    await rest.ask('DELETE', `/api/kins/${other.id}`);
    await app.heading('kin-removed-title').waitFor();
    await app.link('not-found-home').click();
    await app.heading('home-kins').waitFor();
  });
});
