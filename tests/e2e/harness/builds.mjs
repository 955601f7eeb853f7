// A folder the server serves the app from, and the next build in it.

import { createHash } from 'node:crypto';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folder, given } from './program.mjs';

export class Builds {
  #current;
  #count = 0;

  /** A copy of the app as it was built. */
  static async copy(t) {
    const builds = new Builds();
    builds.path = join(await folder(t, 'web'), 'dist');
    await cp(given('KINSTEAD_WEB_DIST'), builds.path, { recursive: true });
    builds.#current = builds.path;
    return builds;
  }

  /**
   * Replaces the app by its next build: other styles and another script of the worker, so also another page.
   *
   * Gives what changed: `{ styles, worker, build }`.
   */
  async next() {
    const aside = `${this.path}.${++this.#count}`;
    await cp(this.#current, aside, { recursive: true });
    const read = path => readFile(join(aside, path), 'utf8');
    const assets = JSON.parse(await read('assets.json'));
    let page = await read('index.html');
    let worker = await read('sw.js');
    const [, build] = page.match(/name="kinstead-build" content="([0-9a-f]+)"/);
    const change = async (pattern, more) => {
      const asset = assets.find(({ path }) => pattern.test(path));
      const text = (await read(asset.path)) + more;
      const hash = hashOf(text);
      const path = asset.path.replace(/\.[0-9a-f]{10}\./, `.${hash.slice(0, 10)}.`);
      await rm(join(aside, asset.path));
      await writeFile(join(aside, path), text);
      [page, worker] = [page, worker].map(text => text.replaceAll(asset.path, path));
      Object.assign(asset, { path, hash, bytes: text.length, br_bytes: null });
      return `/${path}`;
    };
    const changed = {
      styles: await change(/^assets\/styles\./, `\n:root { --build: ${this.#count}; }\n`),
      worker: await change(/^assets\/worker\./, `\n// ${this.#count}\n`),
      build: hashOf(page),
    };
    page = page.replaceAll(build, changed.build);
    worker = worker.replaceAll(build, changed.build);
    for (const [path, text] of [['index.html', page], ['sw.js', worker]]) {
      const asset = assets.find(asset => asset.path === path);
      if (path === 'index.html') worker = worker.replaceAll(asset.hash, hashOf(page));
      const final = path === 'sw.js' ? worker : text;
      Object.assign(asset, { hash: hashOf(final), bytes: final.length, br_bytes: null });
      await writeFile(join(aside, path), final);
    }
    await writeFile(join(aside, 'assets.json'), JSON.stringify(assets));
    await rename(this.path, `${aside}.old`);
    await rename(aside, this.path);
    return changed;
  }
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
