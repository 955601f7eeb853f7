// The scripted provider: a fake of paid services that speaks their true wire formats. See `tests/src/scripted`.

import { Program, atEnd, given } from './program.mjs';
import { eventually } from './wait.mjs';

/** The one key it takes. */
export const KEY = 'test-key';
/** One of its models. */
export const MODEL = 'gpt-4o';

export class Scripted {
  #program;
  #port = 0;

  /** Starts one; the test ends it. */
  static async start(t) {
    const scripted = new Scripted();
    atEnd(t, () => scripted.stop());
    await scripted.start();
    return scripted;
  }

  /** Starts it, again at the same address. */
  async start() {
    this.#program = new Program(given('KINSTEAD_SCRIPTED'), ['--port', String(this.#port)]);
    const [, port] = await this.#program.prints(/listening on http:\/\/127\.0\.0\.1:(\d+)\n/);
    this.#port = Number(port);
  }

  /** Goes down. */
  async stop() {
    await this.#program.end('SIGKILL');
  }

  /** What the server is told. */
  get address() {
    return `http://127.0.0.1:${this.#port}/v1/`;
  }

  async #ask(path, body) {
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text && JSON.parse(text);
  }

  /** Queues what the next calls get. */
  async script(...scripts) {
    await this.#ask('/_script', scripts);
  }

  /** Lets chunks of gated answers go. */
  async release(chunks, gate = '') {
    await this.#ask('/_release', { chunks, gate });
  }

  /** Every call so far. */
  async requests() {
    return (await this.#ask('/_requests')).requests;
  }

  /** Waits for a call whose newest message contains `text`; gives all calls with it. */
  async requestsWith(text, count = 1) {
    return eventually(`${count} calls with ${JSON.stringify(text)}`, async () => {
      const found = (await this.requests()).filter(({ body }) => JSON.stringify(body.messages?.at(-1)).includes(text));
      return found.length >= count && found;
    });
  }
}
