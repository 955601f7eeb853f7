// What tests ask of a browser that is not Chromium, in terms of WebDriver. Whoever extends it has `command`.

import { eventually } from './wait.mjs';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const ENTER = '\uE007';

export class WebDriver {
  async go(url) {
    await this.command('POST', '/url', { url });
  }

  async reload() {
    await this.command('POST', '/refresh');
  }

  /** Runs a function in the page; gives what it gives, or what its promise does. */
  async evaluate(work, ...args) {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve((${work})(...[...arguments].slice(0, -1))).then(value => done({ value }), error => done({ error: String(error) }));`;
    const { value, error } = await this.command('POST', '/execute/async', { script, args });
    if (error) throw new Error(error);
    return value;
  }

  async #find(selector) {
    return eventually(selector, async () => {
      const found = await this.command('POST', '/element', { using: 'css selector', value: selector });
      return found[ELEMENT];
    });
  }

  async click(selector) {
    await this.command('POST', `/element/${await this.#find(selector)}/click`);
  }

  async write(selector, text) {
    await this.command('POST', `/element/${await this.#find(selector)}/value`, { text });
  }

  async enter(selector) {
    await this.write(selector, ENTER);
  }
}
