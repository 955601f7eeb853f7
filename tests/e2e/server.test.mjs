// The server's screen. `KINSTEAD_LOOKS=folder` keeps its pictures there.

import { test } from 'node:test';
import { mkdir } from 'node:fs/promises';
import { App } from './harness/app.mjs';
import { Browser } from './harness/browser.mjs';
import { assertNone, look } from './harness/look.mjs';
import { CAMILLE, Server } from './harness/server.mjs';

const KEPT = process.env.KINSTEAD_LOOKS;

async function keep(page, name) {
  if (!KEPT) return;
  await mkdir(KEPT, { recursive: true });
  await page.screenshot({ path: `${KEPT}/${name}.png`, fullPage: true });
}

test('an admin sees how the server is reached and how it does', async t => {
  const server = await Server.start(t);
  await server.createAdmin(CAMILLE);
  const browser = await Browser.start(t, server, { still: true });
  const { page } = browser;
  const findings = [];
  const app = new App(browser);
  await app.signIn(CAMILLE);
  await app.go('/server');
  await app.heading('server', {}).waitFor();
  await app.text('reach-this-machine').first().waitFor();
  await page.getByText(server.url, { exact: true }).waitFor();
  await page.getByText(app.words('server-settings'), { exact: true }).click();
  await page.getByText('shutdown_grace_s', { exact: true }).waitFor();
  for (const [language, name] of Object.entries({ en: 'English', fr: 'Français' })) {
    await page.locator('[data-account=side] > button').click();
    await page.getByRole('radio', { name, exact: true }).click();
    await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    const spoken = new App(browser, language);
    await spoken.text('reach-this-machine').first().waitFor();
    findings.push(...(await look(spoken, 'server')));
    for (const [width, height] of [[390, 844], [820, 1180], [1440, 900]]) {
      await page.setViewportSize({ width, height });
      await keep(page, `server.${width}.${language}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  assertNone(findings);
});
