// The server's REST interface, as a script of the household would use it.

import assert from 'node:assert/strict';
import { KEY, MODEL } from './scripted.mjs';
import { eventually } from './wait.mjs';

export class Rest {
  #server;
  #token;

  constructor(server, token) {
    this.#server = server;
    this.#token = token;
  }

  /** Sends one request; fails on any status but those of success. */
  async ask(method, path, body, headers = {}) {
    const response = await fetch(this.#server.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
    return text && JSON.parse(text);
  }

  /** Who the token acts for. */
  async me() {
    return this.ask('GET', '/api/me');
  }

  /** Connects a scripted provider. */
  async connect(scripted, name = 'Scripted') {
    const provider = { name, kind: 'openai-compatible', base_url: scripted.address, api_key: KEY };
    return this.ask('POST', '/api/providers', provider);
  }

  /** Connects Demo. */
  async connectDemo() {
    return this.ask('POST', '/api/providers', { name: 'Demo', kind: 'demo' });
  }

  /** Makes a Kin. */
  async createKin(provider, { name = 'Basile', role = 'Meals and nutrition', model = MODEL, ...rest } = {}) {
    const kin = { name, role, character: 'Patient.', expertise: 'Menus.', model: { provider_id: provider.id, name: model } };
    return this.ask('POST', '/api/kins', { ...kin, ...rest });
  }

  /** Sends a message; gives its id. */
  async send(kin, text, key) {
    const headers = key ? { 'idempotency-key': key } : {};
    return (await this.ask('POST', `/api/kins/${kin.id}/messages`, { text }, headers)).id;
  }

  /** Every message of a Kin's thread, in the order a person reads them. */
  async thread(kin) {
    const items = [];
    let before;
    do {
      const page = await this.ask('GET', `/api/kins/${kin.id}/messages?limit=200${before ? `&before=${before}` : ''}`);
      items.push(...page.items);
      before = page.next;
    } while (before);
    const seq = new Map(items.map(item => [item.id, item.seq]));
    const place = item => (item.answers ? [seq.get(item.answers), 1] : [item.seq, 0]);
    return items.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
  }

  /** Waits until the message with this text is answered; gives the answer. */
  async answerTo(kin, text) {
    return eventually(`an answer to ${JSON.stringify(text)}`, async () => {
      const thread = await this.thread(kin);
      const asked = thread.find(message => message.text === text);
      return asked && thread.find(message => message.answers === asked.id);
    });
  }
}
