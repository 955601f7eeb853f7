// The door: moving in, coming in, being locked out and shown out, and coming back with the recovery code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { CAMILLE, Server } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

const NEW_PASSWORD = 'une bouilloire qui chante';

/** Everything the browser sends; fails the test if a password or a recovery code is in it. */
function listen(browser, secrets) {
  const sent = [];
  browser.context.on('request', request => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  return () => {
    assert.ok(sent.some(one => one.includes('/api/auth/')), 'something was sent');
    for (const secret of secrets) {
      const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64url')];
      for (const form of forms) assert.ok(!sent.some(one => one.includes(form)), `a request holds ${secret}`);
    }
  };
}

/** Databases and caches of ours that this page could read. */
async function kept(page) {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const caches = (await window.caches.keys()).filter(name => !name.endsWith('-shell'));
    const remembered = Object.keys(localStorage).filter(key => key !== 'kinstead.farewell' && key !== 'kinstead.theme');
    return [...databases, ...caches, ...remembered];
  });
}

/** Names of the keys that open what this device keeps. */
async function storedKeys(page) {
  return page.evaluate(
    async () =>
      // Opening it would make it, and an empty one at that.
      (await indexedDB.databases()).some(({ name }) => name === 'kinstead') &&
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('kinstead');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const asked = database.transaction('keys').objectStore('keys').getAllKeys();
          asked.onsuccess = () => {
            database.close();
            resolve(asked.result);
          };
        };
      }),
  );
}

test('moving in, in French, with a reload in between, and coming back with the recovery code', async t => {
  const step = stepsOf(t);
  const server = await Server.start(t);
  const browser = await Browser.start(t, server, { language: 'fr' });
  const app = new App(browser, 'fr');
  const { page } = browser;
  let code;

  await step('the printed address survives a reload', async () => {
    await page.goto(await server.setupAddress());
    await app.heading('setup-title').waitFor();
    await page.reload();
    await app.heading('setup-title').waitFor();
    assert.equal(await app.field('field-code').count(), 0, 'the code is still known');
    assert.equal(await page.evaluate(() => location.hash), '');
  });

  await step('the language switches the page at once', async () => {
    await page.getByRole('radio', { name: 'English', exact: true }).click();
    await new App(browser, 'en').heading('setup-title').waitFor();
    await page.getByRole('radio', { name: 'Français', exact: true }).click();
    await app.heading('setup-title').waitFor();
  });

  await step('the account is made and the recovery code is shown once', async () => {
    const check = listen(browser, [CAMILLE.password]);
    await page.getByRole('radio', { name: app.words('setup-portrait-of', { number: 3 }) }).click();
    const file = page.locator('#portrait-own-file');
    await file.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') });
    await page.locator('.k-picture').getByRole('alert').waitFor();
    await file.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await page.getByAltText(app.words('picture-own')).waitFor();
    assert.equal(await page.getByRole('radio', { checked: true, name: app.words('setup-portrait') }).count(), 0);
    code = await app.moveIn(CAMILLE);
    assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
    await app.heading('wizard-providers-title').waitFor();
    check();
    assert.ok(!(await page.content()).includes(code));
    const mine = await page.evaluate(() => fetch('/api/me').then(answer => answer.json()));
    assert.match(mine.avatar, /^pic_/, 'the picture went up once there was an account');
  });

  await step('who forgot the password comes in with the code', async () => {
    await browser.context.clearCookies();
    await page.reload();
    await app.heading('sign-in-title').waitFor();
    const check = listen(browser, [NEW_PASSWORD, code]);
    await app.button('sign-in-forgot').click();
    await app.heading('recover-title').waitFor();
    const field = app.field('field-recovery');
    await field.fill(`${code.slice(0, -1)}${code.endsWith('0') ? '2' : '0'}`);
    await app.field('field-password-new').fill(NEW_PASSWORD);
    await app.button('recover-submit').click();
    await app.text('problem-recovery-code-mistyped').waitFor();
    await field.fill(` ${code.toLowerCase().replaceAll('-', ' ')} `);
    await app.button('recover-submit').click();
    await app.heading('wizard-providers-title').waitFor();
    check();
  });

  await step('from then on the new password counts', async () => {
    await browser.context.clearCookies();
    await page.reload();
    await app.heading('sign-in-title').waitFor();
    await app.fillSignIn(CAMILLE);
    await app.text('problem-sign-in-failed').waitFor();
    await app.fillSignIn({ ...CAMILLE, password: NEW_PASSWORD });
    await app.heading('wizard-providers-title').waitFor();
  });
});

test('a login that runs out locks what is kept, and a revoked device wipes it', async t => {
  const step = stepsOf(t);
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  browser.allow(SERVER_AWAY, 'status: 401 GET /api/me');
  const app = new App(browser);
  const { page } = browser;
  const words = 'written while nobody was signed in';

  await step('signing in keeps the password out of every request', async () => {
    const check = listen(browser, [CAMILLE.password]);
    await app.signIn(CAMILLE);
    check();
    await eventually('the password can open it later', async () => (await storedKeys(page) || []).includes('for-member'));
    await app.open(kin);
    await app.syncs('sync-up-to-date');
  });

  await step('words are written while the server is away', async () => {
    await server.stop();
    await app.syncs('sync-offline');
    await app.send(words);
    await app.syncs('sync-offline-waiting', { count: 1 });
    // The login is gone by the time the server is back.
    await browser.context.clearCookies();
    await server.start();
    await app.heading('sign-in-title').waitFor();
    await page.getByText(app.words('sign-in-locked')).waitFor();
    await page.getByText(CAMILLE.nickname, { exact: true }).waitFor();
    assert.equal(await app.field('field-email').count(), 0, 'who was here last is known');
    assert.deepEqual(await storedKeys(page), ['for-member'], 'only the password opens it');
    assert.ok(!(await rest.thread(kin)).some(message => message.text === words));
  });

  await step('a wrong password opens nothing, the right one sends them', async () => {
    await app.fillSignIn({ ...CAMILLE, password: 'not this one' });
    await app.text('problem-sign-in-failed').waitFor();
    await app.fillSignIn(CAMILLE);
    await page.getByRole('navigation').first().waitFor();
    await eventually('the words arrive', async () => (await rest.thread(kin)).filter(({ text }) => text === words).length === 1);
    await app.open(kin);
  });

  await step('another browser shows this one out: it wipes itself and says why', async () => {
    const other = await Browser.start(t, server);
    await new App(other).signIn(CAMILLE);
    const refused = await other.page.evaluate(async () => {
      const { items } = await (await fetch('/api/me/devices')).json();
      const device = items.find(({ current }) => !current);
      return (await fetch(`/api/me/devices/${device.id}`, { method: 'DELETE' })).status;
    });
    assert.equal(refused, 204);
    await app.heading('sign-in-title').waitFor();
    await page.getByText(app.words('sign-in-revoked')).waitFor();
    await eventually('nothing is kept', async () => {
      assert.deepEqual(await kept(page), []);
      return true;
    });
    await app.field('field-email').waitFor();
  });
});
