// The app as a person uses it: by what is written on the screen.

import assert from 'node:assert/strict';
import { eventually } from './wait.mjs';
import { words } from './words.mjs';

/** The texts of `row` that a person sees, and where the message stands. */
export const READ_ROWS = () =>
  // Remarks between messages, such as when the network was lost, are no messages.
  [...document.querySelectorAll('#log > .k-logrow:has(article)')].map(row => {
    const [article, second] = row.querySelectorAll('article');
    const bubble = row.querySelector('.k-bubble');
    const failed = row.querySelector('.k-result');
    const by = row.querySelector('.k-msg--me') ? 'me' : row.querySelector('.k-msg__col--member') ? 'member' : 'kin';
    const state = article?.getAttribute('aria-busy') === 'true' ? 'writing' : failed ? 'failed' : 'there';
    const line = row.querySelector('.k-ownline')?.innerText.trim() ?? '';
    return { by, text: bubble?.innerText.trim() ?? '', state, line, failure: (failed ?? second)?.innerText ?? '' };
  });

export class App {
  constructor(browser, language = 'en', page = browser.page) {
    this.browser = browser;
    this.page = page;
    this.language = language;
    this.words = words(language);
  }

  /** Opens an address of the app. */
  async go(path = '/') {
    await this.page.goto(this.browser.server.url + path);
  }

  heading(key, args) {
    return this.page.getByRole('heading', { name: this.words(key, args) });
  }

  button(key, args) {
    return this.page.getByRole('button', { name: this.words(key, args), exact: true });
  }

  link(key, args) {
    return this.page.getByRole('link', { name: this.words(key, args), exact: true });
  }

  field(key, args) {
    return this.page.getByLabel(this.words(key, args), { exact: true });
  }

  text(key, args) {
    return this.page.getByText(this.words(key, args));
  }

  /** Opens the app and signs in on its form. */
  async signIn(person) {
    await this.go();
    await this.heading('sign-in-title').waitFor();
    await this.fillSignIn(person);
    await this.page.getByRole('navigation').first().waitFor();
  }

  /** Fills the form of the first account and sends it; gives the recovery code. */
  async moveIn({ firstName, lastName, nickname, email, password }) {
    await this.field('field-first-name').fill(firstName);
    await this.field('field-last-name').fill(lastName);
    await this.field('field-nickname').fill(nickname);
    await this.field('field-email').fill(email);
    await this.field('field-password').fill(password);
    await this.field('field-password-again').fill(password);
    await this.button('setup-submit').click();
    await this.heading('recovery-title').waitFor();
    const code = await this.page.locator('#recovery-code').innerText();
    await this.button('recovery-safe').click();
    return code;
  }

  async fillSignIn({ email, password }) {
    await this.field('field-password').waitFor();
    // Whoever was here last is asked for the password only.
    if (await this.field('field-email').count()) await this.field('field-email').fill(email);
    await this.field('field-password').fill(password);
    await this.button('sign-in-submit').click();
  }

  /** Opens a Kin's thread at its address and waits until it is drawn. */
  async open(kin) {
    await this.go(`/kin/${kin.id}`);
    this.kin = kin;
    await this.composer.waitFor();
    await this.page.locator('#log:not([aria-busy])').waitFor();
  }

  get composer() {
    return this.page.getByRole('textbox', { name: this.words('composer-of', { name: this.kin.name }) });
  }

  get log() {
    return this.page.getByRole('log', { name: this.words('log-of', { name: this.kin.name }) });
  }

  /** Writes a message and sends it as people do here: Enter, or the button where Enter belongs to the text. */
  async send(text, { tap = false } = {}) {
    await this.composer.fill(text);
    if (tap) await this.button('send').click();
    else await this.composer.press('Enter');
  }

  /** The answer that is being written. */
  get writing() {
    return this.log.locator('article[aria-busy=true]');
  }

  /** The drawn rows: who wrote, what, and where it stands. */
  async rows() {
    return this.page.evaluate(READ_ROWS);
  }

  /** Waits until the drawn rows satisfy `check`, which may assert. */
  async rowsWhen(what, check, options) {
    let rows;
    await eventually(
      what,
      async () => {
        rows = await this.rows();
        return check(rows) !== false;
      },
      options,
    );
    return rows;
  }

  /** Waits until the drawn thread says exactly this: `[['me', 'hello'], ['kin', 'You said …']]`. */
  async shows(expected, what = 'the thread on the screen') {
    await this.rowsWhen(what, rows => assert.deepEqual(rows.map(({ by, text }) => [by, text]), expected));
  }

  /** Waits until the sync state in the sidebar, or above a phone's home, reads so. */
  async syncs(key, args, options) {
    await this.page.getByRole('status').filter({ hasText: this.words(key, args) }).first().waitFor(options);
  }
}

/** What a screen should show of a thread that REST gave, to the member `me`. */
export function asShown(thread, me) {
  const visible = thread.filter(message => message.state !== 'withdrawn');
  return visible.map(({ author, text }) => [author.kind === 'kin' ? 'kin' : author.id === me.id ? 'me' : 'member', text.trim()]);
}
