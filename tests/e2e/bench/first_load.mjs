// How soon a phone shows something, and how soon it can be used: cold, and warm from the device. Times are the page's own, from
// the start of its navigation: its first picture; and the moment its field is there and an event on it would be heard at once.
//
// A slow phone on a slow network: CPU four times slower, 1.6 Mbit/s down, 0.75 up, 150 ms there and back.
// KINSTEAD_BIN=… KINSTEAD_SCRIPTED=… KINSTEAD_CHROMIUM=… node --test tests/e2e/bench/first_load.mjs

import { test } from 'node:test';
import { App } from '../harness/app.mjs';
import { Browser, PHONE } from '../harness/browser.mjs';
import { house } from '../harness/house.mjs';
import { CAMILLE } from '../harness/server.mjs';
import { kept } from '../harness/shell.mjs';

const ROUNDS = 7;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

/** Notes when what `selector` finds is there, and the page has nothing else to do before it listens. */
const WATCH = selector => {
  const look = () => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { globalThis.usableAt = performance.now(); }));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, attributes: true });
};

test('first load on a slow phone', async t => {
  const { server, kin } = await house(t);
  const rows = [];
  const measure = async (name, app, path, ready) => {
    const devtools = await app.browser.context.newCDPSession(app.page);
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await app.page.addInitScript(WATCH, ready);
    await app.page.goto(server.url + path, { waitUntil: 'commit' });
    const usable = await (await app.page.waitForFunction(() => globalThis.usableAt)).jsonValue();
    const painted = await app.page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    await devtools.detach();
    rows.push({ name, painted: Math.round(painted), usable: Math.round(usable) });
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const browser = await Browser.start(t, server, { viewport: PHONE, phone: true });
    const app = new App(browser);
    await measure('cold, to the sign-in form', app, '/', '#email');
    await app.signIn(CAMILLE);
    await app.open(kin);
    await kept(app.page);
    await measure('warm, to a thread', app, `/kin/${kin.id}`, 'main:has(#log:not([aria-busy])) #composer');
    await browser.context.close();
  }
  for (const name of new Set(rows.map(row => row.name))) {
    const of = rows.filter(row => row.name === name);
    const median = key => of.map(row => row[key]).sort((a, b) => a - b)[Math.floor(of.length / 2)];
    console.log(`| ${name} | ${median('painted')} ms | ${median('usable')} ms |`);
  }
});
