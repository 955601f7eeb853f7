// Firefox by Marionette, its own protocol under WebDriver: JSON in lengths, over a plain connection.

import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Program, atEnd, folder, given } from './program.mjs';
import { eventually } from './wait.mjs';
import { WebDriver } from './webdriver.mjs';

const PREFERENCES = {
  'marionette.port': 0,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-GB',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'permissions.default.persistent-storage': 1,
  'security.sandbox.content.level': 0,
  'toolkit.telemetry.enabled': false,
};
/** What WebDriver calls by an address is a command by name here. */
const COMMANDS = {
  '/url': 'WebDriver:Navigate',
  '/refresh': 'WebDriver:Refresh',
  '/execute/async': 'WebDriver:ExecuteAsyncScript',
  '/element': 'WebDriver:FindElement',
  click: 'WebDriver:ElementClick',
  value: 'WebDriver:ElementSendKeys',
};

export class Firefox extends WebDriver {
  #program;
  #socket;
  #last = 0;
  #waiting = new Map();

  /** Starts one; `profile` is the folder of one that was ended. */
  static async start(t, { profile } = {}) {
    const browser = new Firefox();
    browser.profile = profile ?? (await folder(t, 'firefox'));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    await writeFile(join(browser.profile, 'user.js'), lines.join('\n'));
    const args = ['--marionette', '--headless', '--no-remote', '--profile', browser.profile];
    browser.#program = new Program(given('KINSTEAD_FIREFOX'), args);
    atEnd(t, () => browser.#program.end('SIGKILL'));
    const port = await eventually('the port of Firefox', async () =>
      Number(await readFile(join(browser.profile, 'MarionetteActivePort'), 'utf8')));
    browser.#socket = await eventually('Firefox', () => new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
    }));
    browser.#listen();
    await browser.#say('WebDriver:NewSession', {});
    return browser;
  }

  /** Ends it in order, so that the profile holds everything. */
  async end() {
    await this.#say('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => {});
    await this.#program.end('SIGTERM');
  }

  async command(method, path, body = {}) {
    const [, , element, verb] = path.split('/');
    const name = COMMANDS[verb ?? path];
    const answer = await this.#say(name, verb ? { ...body, id: element } : body);
    return answer && 'value' in answer ? answer.value : answer;
  }

  #say(name, body) {
    const id = ++this.#last;
    const text = JSON.stringify([0, id, name, body]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #listen() {
    let bytes = Buffer.alloc(0);
    this.#socket.on('close', () => this.#waiting.forEach(({ reject }) => reject(new Error('Firefox has ended'))));
    this.#socket.on('data', more => {
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const colon = bytes.indexOf(':');
        const length = Number(bytes.subarray(0, colon));
        if (colon < 0 || bytes.length < colon + 1 + length) return;
        const message = JSON.parse(bytes.subarray(colon + 1, colon + 1 + length));
        bytes = bytes.subarray(colon + 1 + length);
        // The first one only says which protocol this is.
        if (!Array.isArray(message)) continue;
        const [, id, error, result] = message;
        const { resolve, reject } = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error) reject(new Error(`${error.error}: ${error.message}`));
        else resolve(result);
      }
    });
  }
}
