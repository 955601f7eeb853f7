// A browser with a profile of its own, and everything that goes wrong in it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { atEnd, folder, given } from './program.mjs';
import { PATIENCE } from './wait.mjs';

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Window sizes. */
export const PHONE = { width: 390, height: 844 };
export const TABLET = { width: 820, height: 1180 };
export const DESKTOP = { width: 1440, height: 900 };

/** Whoever is not signed in yet is told so. */
const ALWAYS_ALLOWED = [/^status: 401 GET \/api\/me$/];
/** What a browser says when the server is away. */
export const SERVER_AWAY = [
  /^console: .*WebSocket connection to .* failed/,
  /^request: .* net::ERR_(CONNECTION_(REFUSED|RESET|ABORTED|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|NETWORK_CHANGED)/,
];

let looks = 0;

export class Browser {
  #allowed = [...ALWAYS_ALLOWED];
  /** Everything that went wrong, in words. */
  problems = [];

  /**
   * Starts one. When the test ends it closes, and fails the test if anything went wrong in it that was not allowed.
   *
   * `phone` makes its pointer a finger; `profile` is the folder of a browser that was closed;
   * `still` asks for little motion; without `serviceWorkers` the network is all there is.
   */
  static async start(
    t,
    server,
    { language = 'en', viewport = DESKTOP, phone = false, profile, still = false, serviceWorkers = true } = {},
  ) {
    const browser = new Browser();
    browser.profile = profile ?? (await folder(t, 'profile'));
    browser.server = server;
    browser.context = await chromium.launchPersistentContext(browser.profile, {
      executablePath: given('KINSTEAD_CHROMIUM'),
      headless: true,
      chromiumSandbox: false,
      args: FLAGS,
      viewport,
      hasTouch: phone,
      isMobile: phone,
      locale: language === 'fr' ? 'fr-FR' : 'en-GB',
      timezoneId: 'Europe/Paris',
      colorScheme: 'light',
      serviceWorkers: serviceWorkers ? 'allow' : 'block',
      reducedMotion: still ? 'reduce' : 'no-preference',
    });
    atEnd(t, async () => {
      if (process.env.KINSTEAD_LAST_LOOK) await browser.#lastLook(t);
      await browser.context.close();
      browser.check();
    });
    browser.context.setDefaultTimeout(PATIENCE);
    await browser.#watch();
    browser.page = browser.context.pages()[0] ?? (await browser.context.newPage());
    return browser;
  }

  async #watch() {
    const { context } = this;
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', event => {
        console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI}`);
      });
    });
    // Of workers too.
    context.on('console', message => {
      // The browser's own remark on a status; seen below with more to it.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.problems.push(`console: ${message.text()}`);
      }
      if (message.type() === 'warning') this.problems.push(`warning: ${message.text()}`);
    });
    context.on('weberror', error => this.problems.push(`page: ${error.error().stack ?? error.error()}`));
    context.on('dialog', dialog => {
      this.problems.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => {});
    });
    context.on('request', request => {
      const url = new URL(request.url());
      const ours = url.origin === this.server.url || ['data:', 'blob:'].includes(url.protocol);
      if (!ours) this.problems.push(`elsewhere: ${request.method()} ${request.url()}`);
    });
    context.on('requestfailed', request => {
      // The page itself gave it up, mostly because it was left.
      if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
      this.problems.push(`request: ${request.method()} ${path(request)} ${request.failure()?.errorText}`);
    });
    context.on('response', response => {
      if (response.status() >= 400) {
        this.problems.push(`status: ${response.status()} ${response.request().method()} ${path(response.request())}`);
      }
    });
    const watchPage = page => page.on('crash', () => this.problems.push(`crash: ${page.url()}`));
    context.pages().forEach(watchPage);
    context.on('page', watchPage);
  }

  /** For whoever looks into a failure: what each page shows at the end, in the folder that `KINSTEAD_LAST_LOOK` names. */
  async #lastLook(t) {
    for (const page of this.context.pages()) {
      const path = join(process.env.KINSTEAD_LAST_LOOK, `${t.name.replace(/\W+/g, '-')}-${++looks}.png`);
      await page.screenshot({ path }).catch(() => {});
      t.diagnostic(`${page.url()} is in ${path}`);
    }
    this.problems.forEach(problem => t.diagnostic(problem));
  }

  /** From now on these are no problems; texts are taken whole, patterns wherever they match. */
  allow(...patterns) {
    this.#allowed.push(...patterns.flat());
  }

  /** Fails if anything went wrong. */
  check() {
    const allowed = problem => this.#allowed.some(one => (typeof one === 'string' ? one === problem : one.test(problem)));
    const unexpected = this.problems.filter(problem => !allowed(problem));
    assert.deepEqual(unexpected, [], 'nothing goes wrong in the browser');
  }
}

function path(request) {
  return new URL(request.url()).pathname;
}
