// The real server, with a data folder of its own.

import { Program, atEnd, folder, given, run } from './program.mjs';

/** A person of the household. */
export const CAMILLE = {
  email: 'camille@example.org',
  password: 'les lumieres sont allumees',
  firstName: 'Camille',
  lastName: 'Martin',
  nickname: 'Camille',
};
/** Another one. */
export const BEN = {
  email: 'ben@example.org',
  password: 'the kettle is on again',
  firstName: 'Ben',
  lastName: 'Martin',
  nickname: 'Ben',
};

export class Server {
  #data;
  #port = 0;
  #program;
  #environment = {};
  /** What every run so far has logged. */
  #logs = [];

  /** Starts one in a fresh folder; the test ends it. `web` is another folder to serve the app from. */
  static async start(t, { web, environment } = {}) {
    const server = new Server();
    Object.assign(server.#environment, environment);
    if (web) server.#environment.KINSTEAD_WEB_DIST = web;
    server.#data = await folder(t, 'data');
    atEnd(t, () => server.#program?.end('SIGTERM'));
    await server.start();
    return server;
  }

  /** Starts it, again at the same address. */
  async start() {
    const listen = `127.0.0.1:${this.#port}`;
    this.#program = new Program(given('KINSTEAD_BIN'), ['serve', '--data', this.#data, '--listen', listen], this.#environment);
    const [, port] = await this.#program.prints(/Kinstead is at http:\/\/localhost:(\d+)\/\n/);
    this.#port = Number(port);
  }

  /** Where it is, without a slash at the end. */
  get url() {
    return `http://localhost:${this.#port}`;
  }

  /** The one-time address for the first member. */
  async setupAddress() {
    const [, address] = await this.#program.prints(/Set it up at (\S+)\n/);
    return address;
  }

  /** Ends it as a power cut would. */
  async kill() {
    this.#logs.push(this.#program.log);
    await this.#program.end('SIGKILL');
  }

  /** Ends it as an admin would. */
  async stop() {
    this.#logs.push(this.#program.log);
    await this.#program.end('SIGTERM');
  }

  /** Hangs, and goes on. */
  freeze() {
    this.#program.signal('SIGSTOP');
  }

  thaw() {
    this.#program.signal('SIGCONT');
  }

  /** Everything it has logged. */
  get log() {
    return [...this.#logs, this.#program.log].join('\n');
  }

  /** Makes an account on the command line. */
  async createAdmin(person, language = 'en') {
    const { email, firstName, lastName, nickname, password } = person;
    const names = ['--email', email, '--first-name', firstName, '--last-name', lastName, '--nickname', nickname];
    const args = ['admin', 'create', '--data', this.#data, ...names, '--language', language, '--password-stdin'];
    await run(given('KINSTEAD_BIN'), args, `${password}\n`);
  }

  /** What the command line prints for a member who has forgotten everything. */
  async resetLink(person) {
    return run(given('KINSTEAD_BIN'), ['user', 'reset', person.email, '--data', this.#data]);
  }

  /** A token of a member, made on the command line. */
  async createToken(person) {
    return run(given('KINSTEAD_BIN'), ['token', 'create', '--data', this.#data, '--member', person.email, '--scopes', 'all']);
  }
}
