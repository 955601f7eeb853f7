// The people of the house: inviting by a link, coming in on a phone, being let out again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, PHONE } from './harness/browser.mjs';
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

  await step('the keys are handed over', async () => {
    await rest.ask('POST', '/api/invitations', { role: 'member' });
    const invitation = await rest.ask('POST', '/api/invitations', { role: 'member' });
    await phone.page.goto('about:blank');
    await phone.page.goto(`${server.url}/#invite=${invitation.token}`);
    await comeIn(hers, { ...BEN, email: 'ben2@example.org' });
    await app.go('/members');
    await desk.page.getByRole('button', { name: /^B?\s*Ben/ }).click();
    await app.button('hand-over').click();
    await app.button('hand-over').click();
    await eventually('Camille is a member', async () => (await rest.me()).role === 'member');
  });
});
