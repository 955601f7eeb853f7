// Whatever a message says, it is text: nothing in it runs, loads or leaves the house.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { atEnd } from './harness/program.mjs';
import { CAMILLE } from './harness/server.mjs';

test('nothing in a message runs or loads', async t => {
  const { server, scripted, rest, kin } = await house(t);
  // Somebody else's server, which must never hear of us.
  const heard = [];
  const elsewhere = createServer((request, response) => {
    heard.push(request.url);
    response.end('window.__ran = true');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  atEnd(t, () => new Promise(resolve => elsewhere.close(resolve)));
  const bad = `http://127.0.0.1:${elsewhere.address().port}`;

  const hostile = [
    `<script>window.__ran = true; alert(1)</script>`,
    `<script src="${bad}/script.js"></script>`,
    `<img src="${bad}/image.png" onerror="window.__ran = true">`,
    `<img src=x onerror=alert(1)><svg onload=alert(1)><iframe src="${bad}/frame"></iframe>`,
    `![picture](${bad}/markdown.png "title")`,
    `![data](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
    `[click](javascript:window.__ran=true) [click](JaVaScRiPt:alert(1)) [click](java&#10;script:alert(1)) [click]( javascript:alert(1))`,
    `[click](data:text/html,<script>alert(1)</script>) [click](vbscript:alert(1)) [click](file:///etc/passwd)`,
    `<a href="javascript:alert(1)">click</a> <javascript:alert(1)> <style>@import "${bad}/style.css"; body { display: none }</style>`,
    `<link rel="stylesheet" href="${bad}/link.css"><meta http-equiv="refresh" content="0;url=${bad}/refresh"><base href="${bad}/">`,
    `<form action="${bad}/form"><button autofocus onfocus=alert(1)>x</button></form><details open ontoggle=alert(1)>x</details>`,
    '```html\n<script>alert(1)</script>\n```',
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    `| <img src=x onerror=alert(1)> | b |\n| --- | --- |\n| [x](javascript:alert(1)) | <script>alert(1)</script> |`,
    `[ref]: javascript:alert(1)\n\n[ref] [good](https://example.org/?a=1&b=2) <https://example.org/auto>`,
    '>'.repeat(400) + ' deep',
    '['.repeat(2000) + '](x)',
  ];
  const browser = await Browser.start(t, server);
  const app = new App(browser);
  const { page } = browser;
  await app.signIn(CAMILLE);
  await app.open(kin);
  // From a Kin, whole and in pieces, and from a member.
  await scripted.script({ kind: 'answer', chunks: hostile.map(text => `${text}\n\n`), delay_ms: 5 });
  await app.send('Say something bad');
  await rest.answerTo(kin, 'Say something bad');
  await app.rowsWhen('the answer', rows => rows.length === 2 && rows[1].state === 'there');
  for (const text of hostile) {
    await scripted.script({ kind: 'answer', chunks: [text] });
    await rest.send(kin, text);
    await rest.answerTo(kin, text);
  }
  // All of it drawn.
  await page.setViewportSize({ width: 1440, height: 20_000 });
  await app.rowsWhen('every row', rows => rows.length === 2 + 2 * hostile.length);

  const found = await page.evaluate(() => {
    const log = document.querySelector('#log');
    const bubbles = [...log.querySelectorAll('.k-bubble')];
    const all = bubbles.flatMap(bubble => [...bubble.querySelectorAll('*')]);
    return {
      ran: window.__ran ?? false,
      elements: [...new Set(all.map(element => element.localName))].sort(),
      attributes: [...new Set(all.flatMap(element => element.getAttributeNames()))].sort(),
      links: [...new Set(bubbles.flatMap(bubble => [...bubble.querySelectorAll('a')]).map(a => a.href))].sort(),
      rels: [...new Set(bubbles.flatMap(bubble => [...bubble.querySelectorAll('a')]).map(a => `${a.target} ${a.rel} ${a.referrerPolicy}`))],
      text: log.innerText,
    };
  });
  assert.equal(found.ran, false);
  for (const name of ['script', 'img', 'iframe', 'style', 'link', 'meta', 'base', 'form', 'object', 'embed', 'details']) {
    assert.ok(!found.elements.includes(name), `<${name}> is never drawn: ${found.elements}`);
  }
  assert.deepEqual(found.attributes.filter(name => name.startsWith('on')), []);
  for (const link of found.links) assert.match(link, /^(https?|mailto):/);
  assert.ok(found.links.includes('https://example.org/?a=1&b=2'), 'a good link stays one');
  assert.deepEqual(found.rels, ['_blank noopener noreferrer no-referrer']);
  assert.ok(found.text.includes(`<script>window.__ran = true; alert(1)</script>`), 'it is there to be read');

  await t.test('following a link tells nobody where it was found', async () => {
    const opened = browser.context.waitForEvent('page');
    // A picture in Markdown is a link to it.
    await app.log.getByRole('link', { name: 'picture' }).first().click();
    const other = await opened;
    await other.waitForLoadState();
    assert.equal(await other.evaluate(() => window.opener === null && document.referrer), '');
    await other.close();
    browser.allow(new RegExp(`^elsewhere: GET ${bad}/(markdown\\.png|favicon\\.ico)$`));
    assert.ok(heard.every(url => ['/markdown.png', '/favicon.ico'].includes(url)), `${heard}`);
    assert.ok(heard.includes('/markdown.png'));
  });
});
