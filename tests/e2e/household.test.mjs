// The people of the house: inviting by a link, coming in on a phone, being let out again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { App } from './harness/app.mjs';
import { Browser, DESKTOP, PHONE, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { BEN, CAMILLE } from './harness/server.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

const INES = { firstName: 'Inès', lastName: 'Moreau', nickname: 'Inès', email: 'ines@example.org', password: 'une longue phrase à moi' };

/** Fills the page that an invitation opens, and keeps the code it shows. */
async function comeIn(app, person) {
  await app.field('field-first-name').fill(person.firstName);
  await app.field('field-last-name').fill(person.lastName);
  await app.field('field-nickname').fill(person.nickname);
  await app.field('field-email').fill(person.email);
  await app.page.getByRole('radio', { name: app.words('setup-portrait-of', { number: 2 }) }).click();
  await app.field('field-password').fill(person.password);
  await app.field('field-password-again').fill(person.password);
  await app.button('setup-submit').click();
  await app.heading('recovery-title').waitFor();
  await app.button('recovery-safe').click();
}

test('somebody is invited, comes in on a phone, and is let out again', async t => {
  const step = stepsOf(t);
  const { server, kin, rest, scripted } = await house(t);
  const desk = await Browser.start(t, server, { still: true });
  const app = new App(desk);
  await app.signIn(CAMILLE);
  let link;

  await step('the admin writes an invitation', async () => {
    await app.go('/members');
    await app.button('invite-write').click();
    await app.field('invite-link').waitFor();
    link = await app.field('invite-link').inputValue();
    assert.match(link, /\/#invite=[\w-]{43}$/);
    await desk.page.getByRole('img', { name: app.words('invite-code') }).waitFor();
  });

  const phone = await Browser.start(t, server, { language: 'fr', viewport: PHONE, phone: true, still: true });
  const hers = new App(phone, 'fr');

  await step('she opens it on her phone, in French, and writes to a Kin', async () => {
    phone.allow(/status: 401/);
    await phone.page.goto(link);
    await phone.page.getByRole('radio', { name: 'Français' }).click();
    await phone.page.locator('#accept').waitFor();
    assert.ok(!phone.page.url().includes('invite'), 'the link does not stay in the address bar');
    await comeIn(hers, INES);
    await phone.page.getByRole('link', { name: kin.name }).filter({ visible: true }).first().waitFor();
    await hers.open(kin);
    await scripted.script({ kind: 'answer', chunks: ['Bonjour Inès.'] });
    await hers.send('Bonjour', { tap: true });
    await hers.shows([['me', 'Bonjour'], ['kin', 'Bonjour Inès.']]);
  });

  await step('the admin sees her come in, and the link go', async () => {
    await desk.page.getByRole('button', { name: /Inès/ }).waitFor();
    await app.field('invite-link').waitFor({ state: 'detached' });
    await app.text('invitations-open').waitFor({ state: 'detached' });
    assert.equal((await rest.ask('GET', '/api/members')).items.find(one => one.nickname === 'Inès').avatar, 'ines');
  });

  await step('the household gets a name, which everybody sees at once', async () => {
    await app.field('house-name').fill(' ');
    await desk.page.locator('form:has(#house-name)').getByRole('button', { name: app.words('save') }).click();
    await app.text('mistake-empty').waitFor();
    await app.field('house-name').fill('The Moreau-Hales');
    await desk.page.locator('form:has(#house-name)').getByRole('button', { name: app.words('save') }).click();
    await desk.page.getByRole('navigation').first().getByText('The Moreau-Hales').waitFor();
  });

  await step('the link works once', async () => {
    const other = await Browser.start(t, server, { still: true });
    other.allow(/status: (401|410)/);
    await other.page.goto(link);
    await new App(other).heading('link-used-title').waitFor();
  });

  /** Opens her sheet on the admin's screen. */
  const sheet = async () => {
    await app.go('/members');
    await desk.page.getByRole('button', { name: /Inès/ }).click();
    await desk.page.getByRole('dialog').waitFor();
  };

  await step('disabled, her phone is signed out and wiped', async () => {
    await sheet();
    await app.button('member-disable').click();
    await hers.heading('sign-in-title').waitFor();
  });

  await step('let in again, a reset link gives her another password', async () => {
    await sheet();
    await app.button('member-enable').click();
    await desk.page.getByRole('dialog').waitFor({ state: 'detached' });
    await sheet();
    await app.button('member-reset').click();
    const reset = await app.field('member-reset-link').inputValue();
    await phone.page.goto('about:blank');
    await phone.page.goto(reset);
    await hers.heading('reset-title', { name: 'Inès' }).waitFor();
    await hers.field('field-password').fill('une autre longue phrase');
    await hers.field('field-password-again').fill('une autre longue phrase');
    await hers.button('reset-submit').click();
    await hers.button('recovery-safe').click();
    await phone.page.getByRole('link', { name: kin.name }).filter({ visible: true }).first().waitFor();
    const late = await Browser.start(t, server, { still: true });
    late.allow(/status: (401|410)/);
    await late.page.goto(reset);
    await new App(late).heading('link-used-title').waitFor();
  });

  await step('a name and what its bearer keeps both fit on a narrow phone', async () => {
    await app.go('/members');
    await desk.page.setViewportSize({ width: 320, height: 640 });
    const name = desk.page.locator('#room .k-row__title > span:first-child', { hasText: 'Camille' });
    await name.waitFor();
    assert.ok(await name.evaluate(span => span.scrollWidth <= span.clientWidth), 'the name is not cut');
    await desk.page.setViewportSize(DESKTOP);
  });

  await step('the last admin cannot step down; deleting asks for the name', async () => {
    await app.go('/members');
    await desk.page.getByRole('button', { name: /Camille/ }).last().click();
    await app.text('last-admin-lead').waitFor();
    await sheet();
    await app.button('member-delete').click();
    await app.button('member-delete').click();
    await app.text('mistake-name-differs', { name: 'Inès' }).waitFor();
    await desk.page.locator('#member-delete-name').fill('Inès');
    await app.button('member-delete').click();
    await hers.heading('sign-in-title').waitFor();
    const said = (await rest.thread(kin)).map(({ text }) => text);
    assert.ok(said.includes('Bonjour'));
  });

  await step('the keys are shared, taken back, and handed over', async () => {
    await rest.ask('POST', '/api/invitations', { role: 'member' });
    const invitation = await rest.ask('POST', '/api/invitations', { role: 'member' });
    await phone.page.goto('about:blank');
    await phone.page.goto(`${server.url}/#invite=${invitation.token}`);
    await comeIn(hers, { ...BEN, email: 'ben2@example.org' });
    await app.go('/members');
    const roles = async () => (await rest.ask('GET', '/api/members')).items.filter(one => one.standing === 'active').map(one => one.role);
    const ben = desk.page.getByRole('button', { name: /^B?\s*Ben/ });
    // Two may keep them; neither gives anything up by that.
    await ben.click();
    await app.button('member-make-admin').click();
    await desk.page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await roles(), ['admin', 'admin']);
    await ben.click();
    await app.button('member-make-member').click();
    await desk.page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual((await roles()).sort(), ['admin', 'member']);
    await ben.click();
    await app.button('hand-over').click();
    await app.button('hand-over').click();
    await eventually('Camille is a member', async () => (await rest.me()).role === 'member');
  });
});

test('a link opened where somebody is signed in asks first; one that nobody wrote leads nowhere', async t => {
  const step = stepsOf(t);
  const { server, rest } = await house(t);
  const browser = await Browser.start(t, server, { still: true });
  const app = new App(browser);
  await app.signIn(CAMILLE);
  const { token } = await rest.ask('POST', '/api/invitations', { role: 'member' });
  const open = async () => {
    await browser.page.goto('about:blank');
    await browser.page.goto(`${server.url}/#invite=${token}`);
    await app.heading('link-other-title').waitFor();
  };

  await step('staying leaves everything as it is', async () => {
    await open();
    assert.ok(!browser.page.url().includes('invite'));
    await app.button('stay').click();
    await app.heading('link-other-title').waitFor({ state: 'detached' });
    await browser.page.reload();
    await browser.page.getByRole('navigation').first().waitFor();
    assert.equal(await app.heading('link-other-title').count(), 0, 'the link is forgotten');
  });

  await step('signing out goes on to the invitation', async () => {
    // What was on its way when the login ended.
    browser.allow(/^status: 401 GET /);
    await open();
    await app.button('link-other-sign-out').click();
    await app.button('sign-out').click();
    await browser.page.locator('#accept').waitFor();
    await browser.page.reload();
    await browser.page.locator('#accept').waitFor();
    await comeIn(app, INES);
    await browser.page.getByRole('navigation').first().waitFor();
    assert.equal((await rest.ask('GET', '/api/members')).items.length, 2);
  });

  await step('a link that nobody wrote', async () => {
    const other = await Browser.start(t, server, { language: 'fr', still: true });
    other.allow(/status: 404 POST .api.invitations.look/);
    await other.page.goto(`${server.url}/#invite=${'x'.repeat(43)}`);
    await new App(other, 'fr').heading('link-invalid-title').waitFor();
  });

  await step('a link that has run out', async () => {
    const late = await Browser.start(t, server, { still: true });
    late.allow(/status: 410 POST .api.invitations.look/);
    // A day is long: the server's tests wait for it with a clock of their own.
    const problem = { type: 'about:blank', title: 'Gone', status: 410, detail: 'run out', code: 'invitation_expired' };
    await late.context.route('**/api/invitations/look', route =>
      route.fulfill({ status: 410, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await late.page.goto(`${server.url}/#invite=${'y'.repeat(43)}`);
    await new App(late).heading('link-expired-title').waitFor();
    await new App(late).button('link-sign-in').click();
    await new App(late).heading('sign-in-title').waitFor();
  });
});

test('my account: names, a portrait, the screen, the password, tokens, what is mine, and leaving', async t => {
  const step = stepsOf(t);
  const { server, rest } = await house(t);
  const invitation = await rest.ask('POST', '/api/invitations', { role: 'member' });
  const browser = await Browser.start(t, server, { still: true });
  const { page } = browser;
  const app = new App(browser);
  await page.goto(`${server.url}/#invite=${invitation.token}`);
  await comeIn(app, BEN);
  await page.getByRole('navigation').first().waitFor();
  await app.go('/account');
  const mine = () => rest.ask('GET', '/api/members').then(({ items }) => items.find(one => one.role === 'member'));
  const profile = page.locator('form:has(#my-nickname)');

  await step('another name', async () => {
    await profile.locator('#my-nickname').fill('Benji');
    await profile.getByRole('button', { name: app.words('save') }).click();
    await profile.getByText(app.words('saved'), { exact: true }).waitFor();
    await page.getByRole('navigation').first().getByText('Benji').waitFor();
    assert.equal((await mine()).nickname, 'Benji');
  });

  await step('a file that is no picture changes nothing; a picture becomes the portrait', async () => {
    browser.allow('status: 422 POST /api/pictures');
    const file = page.locator('#my-picture-file');
    await file.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') });
    await profile.getByRole('alert').waitFor();
    assert.equal((await mine()).avatar, 'ines');
    await file.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await profile.getByAltText(app.words('picture-own')).waitFor();
    assert.equal(await profile.getByRole('alert').count(), 0);
    await profile.getByRole('button', { name: app.words('save') }).click();
    await profile.getByText(app.words('saved'), { exact: true }).waitFor();
    assert.match((await mine()).avatar, /^pic_/);
  });

  await step('the portraits are named for whoever hears them', async () => {
    await profile.getByRole('button', { name: app.words('setup-portrait-of', { number: 4 }) }).click();
    await profile.locator('.k-face[aria-pressed=true]').waitFor();
    assert.match(await profile.locator('.k-face[aria-pressed=true]').getAttribute('aria-label'), /red beard/);
  });

  await step('language and theme', async () => {
    await page.locator('#my-language').getByRole('radio', { name: 'Français' }).click();
    await new App(browser, 'fr').heading('my-account').waitFor();
    await page.locator('#my-language').getByRole('radio', { name: 'English' }).click();
    await app.heading('my-account').waitFor();
    await page.locator('#my-theme').getByRole('radio', { name: app.words('theme-dark') }).click();
    await page.locator('html[data-theme=dark]').waitFor();
  });

  await step('a wrong old password is refused; the right one is replaced', async () => {
    browser.allow(/status: 401 POST .api.auth/);
    const form = page.locator('form:has(#old-password)');
    await form.locator('#new-password').fill('une troisième phrase');
    await form.locator('#old-password').fill('not this one');
    await app.button('password-change').click();
    await app.text('mistake-password-wrong').waitFor();
    await form.locator('#old-password').fill(BEN.password);
    await app.button('password-change').click();
    await form.getByText(app.words('saved'), { exact: true }).waitFor();
  });

  await step('a token works until it is taken back', async () => {
    await page.locator('#token-name').fill('Backups');
    await app.button('token-add').click();
    const secret = await app.field('token-secret').inputValue();
    const ask = () => fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal((await ask()).status, 200);
    await app.button('token-revoke-of', { name: 'Backups' }).click();
    await app.button('token-revoke-of', { name: 'Backups' }).waitFor({ state: 'detached' });
    assert.equal((await ask()).status, 401);
  });

  await step('another device is signed out from here', async () => {
    const other = await Browser.start(t, server, { still: true });
    const there = new App(other);
    await there.signIn({ ...BEN, password: 'une troisième phrase' });
    await page.reload();
    await app.button('devices-others').click();
    await there.heading('sign-in-title').waitFor();
    await page.getByText(app.words('device-this'), { exact: true }).waitFor();
  });

  await step('what is mine can be taken along', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), app.link('export').click()]);
    const text = readFileSync(await download.path(), 'utf8');
    const lines = text.trim().split('\n').map(line => JSON.parse(line));
    assert.ok(JSON.stringify(lines).includes('Benji'));
  });

  await step('leaving for good takes the password', async () => {
    await app.button('delete-me').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('#delete-password').fill('not this one');
    await dialog.getByRole('button', { name: app.words('delete-me') }).click();
    await dialog.locator('#delete-password[aria-invalid=true]').waitFor();
    await dialog.locator('#delete-password').fill('une troisième phrase');
    await dialog.getByRole('button', { name: app.words('delete-me') }).click();
    await app.heading('sign-in-title').waitFor();
    await eventually('nobody but Camille is left', async () => {
      const { items } = await rest.ask('GET', '/api/members');
      return items.filter(one => one.standing === 'active').length === 1;
    });
  });
});

test('the command line lets in who has forgotten everything; a device that was away learns that its account is gone', async t => {
  const step = stepsOf(t);
  const { server, rest } = await house(t);
  const browser = await Browser.start(t, server, { still: true });
  const app = new App(browser);
  const invitation = await rest.ask('POST', '/api/invitations', { role: 'member' });
  await browser.page.goto(`${server.url}/#invite=${invitation.token}`);
  await comeIn(app, BEN);
  await browser.page.getByRole('navigation').first().waitFor();

  await step('the link on the terminal sets another password', async () => {
    const printed = await server.resetLink(CAMILLE);
    const [fragment] = printed.match(/#reset=[\w-]{43}/);
    const desk = await Browser.start(t, server, { still: true });
    const hers = new App(desk);
    await desk.page.goto(`${server.url}/${fragment}`);
    await hers.heading('reset-title', { name: 'Camille' }).waitFor();
    await hers.field('field-password').fill('une toute autre phrase');
    await hers.field('field-password-again').fill('une toute autre phrase');
    await hers.button('reset-submit').click();
    await hers.button('recovery-safe').click();
    await desk.page.getByRole('navigation').first().waitFor();
  });

  await step('deleted while away, the device wipes itself and says so', async () => {
    browser.allow(SERVER_AWAY);
    browser.allow(/^status: 401 /, /net::ERR_/);
    await browser.context.setOffline(true);
    const { items } = await rest.ask('GET', '/api/members');
    await rest.ask('DELETE', `/api/members/${items.find(one => one.nickname === BEN.nickname).id}`);
    // It finds out by itself, and begins anew.
    await browser.context.setOffline(false);
    await app.heading('sign-in-title').waitFor();
    await app.text('sign-in-revoked').waitFor();
  });
});
