// Programs that run beside a test, and end with it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE } from './wait.mjs';

/** The path `cargo xtask test` gives in the environment. */
export function given(name) {
  const path = process.env[name];
  if (!path) throw new Error(`${name} is not set; start these tests with \`cargo xtask test\``);
  return path;
}

const endings = new WeakMap();

/** Does `work` when the test has ended, the last one first. All are done even if one fails. */
export function atEnd(t, work) {
  if (!endings.has(t)) {
    endings.set(t, []);
    t.after(async () => {
      const failures = [];
      for (const work of endings.get(t).reverse()) await Promise.resolve().then(work).catch(error => failures.push(error));
      if (failures.length > 0) throw failures[0];
    });
  }
  endings.get(t).push(work);
}

/** A folder that is gone when the test has ended. */
export async function folder(t, name) {
  const path = await mkdtemp(join(tmpdir(), `kinstead-${name}-`));
  atEnd(t, () => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** What a program of ours may see of the environment. */
function environment() {
  const { PATH, HOME, TMPDIR, KINSTEAD_WEB_DIST, RUST_BACKTRACE } = process.env;
  const kept = { PATH, HOME, TMPDIR, KINSTEAD_WEB_DIST, RUST_BACKTRACE };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** A running program. */
export class Program {
  #child;
  #exit;
  output = '';
  log = '';

  /** `more` joins the environment. */
  constructor(path, args, more = {}) {
    this.#child = spawn(path, args, { env: { ...environment(), ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exit = once(this.#child, 'exit');
    this.#child.stdout.setEncoding('utf8').on('data', text => (this.output += text));
    this.#child.stderr.setEncoding('utf8').on('data', text => (this.log += text));
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits until the program prints what `pattern` matches; gives the match. */
  async prints(pattern) {
    const failed = why => new Error(`${why} before printing ${pattern}\n${this.output}\n${this.log}`);
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = this.output.match(pattern);
        if (match) end(resolve, match);
      };
      const left = () => end(reject, failed('the program ended'));
      const late = setTimeout(() => end(reject, failed(`${PATIENCE} ms passed`)), PATIENCE);
      const end = (settle, value) => {
        clearTimeout(late);
        this.#child.stdout.off('data', look);
        this.#child.off('exit', left);
        settle(value);
      };
      this.#child.stdout.on('data', look);
      this.#child.on('exit', left);
      look();
      if (!this.isRunning) left();
    });
  }

  /** Sends a signal and waits for the end. */
  async end(signal) {
    if (this.isRunning) {
      this.#child.kill(signal);
      // One that was stopped hears a signal only once it goes on.
      this.#child.kill('SIGCONT');
    }
    await this.#exit;
  }

  /** Stops it from running without ending it, as a hung machine would; or lets it go on. */
  signal(name) {
    this.#child.kill(name);
  }
}

/** Runs a program to its end; gives what it printed. */
export async function run(path, args, input = '') {
  const child = spawn(path, args, { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let log = '';
  child.stdout.setEncoding('utf8').on('data', text => (output += text));
  child.stderr.setEncoding('utf8').on('data', text => (log += text));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${path} ${args.join(' ')} ended with ${code}: ${output}${log}`);
  return output.trim();
}
