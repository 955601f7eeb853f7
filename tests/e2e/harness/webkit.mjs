// WebKitGTK by WebDriver: its small browser on a screen nobody sees. Plain requests; no library is needed for so few.

import { createServer } from 'node:net';
import { once } from 'node:events';
import { Program, atEnd, given } from './program.mjs';
import { eventually } from './wait.mjs';
import { WebDriver } from './webdriver.mjs';

export class WebKit extends WebDriver {
  #address;
  #session;

  /** Starts one with a profile of its own, which is gone when it ends. */
  static async start(t) {
    const browser = new WebKit();
    const screen = new Program('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
    atEnd(t, () => screen.end('SIGTERM'));
    const [, display] = await screen.prints(/(\d+)\n/);
    const port = await freePort();
    const driver = new Program(given('KINSTEAD_WEBKIT'), [`--port=${port}`], {
      DISPLAY: `:${display}`,
      LANGUAGE: 'en',
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    });
    atEnd(t, () => driver.end('SIGTERM'));
    browser.#address = `http://127.0.0.1:${port}`;
    await eventually('the driver', () => fetch(`${browser.#address}/status`).then(answer => answer.ok));
    const { sessionId } = await browser.#ask('POST', '/session', { capabilities: { alwaysMatch: {} } });
    browser.#session = `/session/${sessionId}`;
    atEnd(t, () => browser.#ask('DELETE', browser.#session));
    return browser;
  }

  /** A command of WebDriver within the session. */
  async command(method, path, body = {}) {
    return this.#ask(method, this.#session + path, body);
  }

  async #ask(method, path, body) {
    const options = { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const { value } = await (await fetch(this.#address + path, options)).json();
    if (value?.error) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
}
