// The app is on the device: it opens without a network.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, asShown } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { Proxy } from './harness/proxy.mjs';
import { CAMILLE } from './harness/server.mjs';
import { kept } from './harness/shell.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

test('a cold start without a network opens threads, takes messages and sends them once', async t => {
  const step = stepsOf(t);
  const { server, scripted, rest, me, kin } = await house(t);
  const first = await Browser.start(t, server);
  first.allow(SERVER_AWAY);
  const app = new App(first);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await app.send('Before [slow 1 0]');
  const before = [['me', 'Before [slow 1 0]'], ['kin', 'part 1 of 1.']];
  await app.shows(before);
  await kept(app.page);

  await step('a reload without a server shows what was there', async () => {
    await server.kill();
    await app.page.reload();
    await app.shows(before);
    await app.syncs('sync-offline');
    await app.send('One [slow 1 0]');
    await app.syncs('sync-offline-waiting', { count: 1 });
    await app.page.reload();
    await app.shows([...before, ['me', 'One [slow 1 0]']]);
  });

  await step('so does a cold start, at any address, in the theme that was chosen', async t => {
    await app.page.evaluate(() => localStorage.setItem('kinstead.theme', 'dark'));
    await first.context.close();
    const second = await Browser.start(t, server, { profile: first.profile });
    second.allow(SERVER_AWAY);
    const later = new App(second);
    await later.go('/');
    await later.heading('home-kins').waitFor();
    assert.deepEqual(
      await later.page.evaluate(() => [
        document.documentElement.dataset.theme,
        ...[...document.querySelectorAll('meta[name=theme-color]')].map(meta => meta.content),
      ]),
      ['dark', '#1d1519', '#1d1519'],
    );
    await later.open(kin);
    await later.shows([...before, ['me', 'One [slow 1 0]']]);
    await later.send('Two [slow 1 0]');
    await later.syncs('sync-offline-waiting', { count: 2 });
    await later.go('/kin/new');
    await later.page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await later.page.locator('img').evaluateAll(all => all.filter(one => !one.naturalWidth).length), 0, 'every picture is there');

    await server.start();
    await rest.answerTo(kin, 'Two [slow 1 0]');
    await later.open(kin);
    const expected = ['Before', 'One', 'Two'].flatMap(text => [['me', `${text} [slow 1 0]`], ['kin', 'part 1 of 1.']]);
    await later.shows(expected);
    assert.deepEqual(asShown(await rest.thread(kin), me), expected);
    for (const text of ['One', 'Two']) assert.equal((await scripted.requestsWith(text)).length, 1, `${text} was asked once`);
  });
});

test('words on their way when the page is loaded again are sent or still in the composer', async t => {
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await kept(app.page);
  for (let round = 0; round < 4; round += 1) {
    const text = `Word ${round} [slow 1 0]`;
    await app.composer.fill(text);
    // In the same instant: before the device's store can have it.
    const loaded = app.page.waitForEvent('load');
    await app.composer.evaluate(field => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      location.reload();
    });
    await loaded;
    await app.page.locator('#log:not([aria-busy])').waitFor();
    await eventually('the words', async () => {
      const sent = (await rest.thread(kin)).filter(message => message.text === text).length;
      const drafted = (await app.composer.inputValue()) === text;
      assert.ok(sent + drafted >= 1, JSON.stringify({ sent, value: await app.composer.inputValue() }));
      assert.ok(sent <= 1, `sent ${sent} times`);
      return true;
    });
    await app.composer.fill('');
  }
});

test('signing out without a network stays in the app and leaves nothing', async t => {
  const { server, rest, kin } = await house(t);
  const browser = await Browser.start(t, server);
  browser.allow(SERVER_AWAY, 'request: GET /api/pictures/pic_018f6c1e net::ERR_FAILED');
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await kept(app.page);
  await app.page.evaluate(async () => {
    const cache = await caches.open('kinstead-pictures');
    await cache.put('/api/pictures/pic_018f6c1e', new Response('a face', { headers: { 'content-type': 'image/png' } }));
  });
  const picture = () => app.page.evaluate(async () => (await fetch('/api/pictures/pic_018f6c1e').catch(() => undefined))?.text());
  await server.stop();
  await app.syncs('sync-offline');
  assert.equal(await picture(), 'a face', 'it is shown without a network');
  await app.page.locator('[data-account=side] > button').click();
  await app.button('sign-out').click();
  await app.page.getByRole('dialog').getByRole('button', { name: app.words('sign-out') }).click();
  await app.heading('unreachable-title').waitFor();
  assert.deepEqual(await app.page.evaluate(() => caches.keys()), ['kinstead-shell']);
  assert.equal(await picture(), undefined);
  await app.page.reload();
  await app.heading('unreachable-title').waitFor();
  await server.start();
  await app.button('try-again').click();
  await app.heading('sign-in-title').waitFor();
  await app.fillSignIn(CAMILLE);
  await app.heading('home-kins').waitFor();
  assert.equal((await rest.thread(kin)).length, 0);
});

test('a proxy without a server behind it is like no network', async t => {
  const { server, kin } = await house(t);
  const proxy = await Proxy.start(t, server);
  const browser = await Browser.start(t, proxy);
  browser.allow(SERVER_AWAY, /^status: 50\d/, /^console: .*(WebSocket|the server responded with a status of 50)/);
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.open(kin);
  await kept(app.page);
  for (const status of [502, 503]) {
    proxy.refuse(() => status);
    await app.page.reload();
    await app.syncs('sync-offline');
    await app.heading('thread-empty-title', { name: kin.name }).waitFor();
    proxy.pass();
    await app.syncs('sync-up-to-date');
  }
});

test('the app can be installed', async t => {
  const { server } = await house(t);
  const browser = await Browser.start(t, server);
  const app = new App(browser);
  await app.go();
  await app.heading('sign-in-title').waitFor();
  const devtools = await browser.context.newCDPSession(app.page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors, []);
  const { errors, manifest } = await devtools.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.equal(manifest.display, 'kStandalone');
  const pictures = [...manifest.icons.map(icon => icon.url), await app.page.locator('link[rel=apple-touch-icon]').evaluate(link => link.href)];
  for (const url of pictures) {
    const [kind, size] = await app.page.evaluate(async url => {
      const blob = await (await fetch(url)).blob();
      const image = Object.assign(new Image(), { src: URL.createObjectURL(blob) });
      await image.decode();
      return [blob.type, image.naturalWidth];
    }, url);
    assert.match(kind, /^image\//, url);
    const [, told] = url.match(/-(\d+)\.png$/) ?? [];
    if (told) assert.equal(size, Number(told), url);
  }
});
