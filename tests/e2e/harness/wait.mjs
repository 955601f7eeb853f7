// Waiting for conditions, never for times.

import assert from 'node:assert/strict';

/** How long something may take on a slow machine before the test fails, in milliseconds. */
export const PATIENCE = 30_000;

/**
 * Calls `look` until it neither throws nor gives a falsy value, and gives what it gave.
 *
 * Fails with the last error, so that `assert` inside `look` tells what was still missing.
 */
export async function eventually(what, look, { within = PATIENCE, every = 50 } = {}) {
  const until = Date.now() + within;
  for (;;) {
    let problem;
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      problem = error;
    }
    if (Date.now() > until) {
      if (problem) problem.message = `${what}: ${problem.message}`;
      throw problem ?? new assert.AssertionError({ message: `waited ${within} ms for ${what}` });
    }
    await pause(every);
  }
}

/** Lets time pass, where the time itself is what is tested. */
export function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/** Random numbers that are the same for the same seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Steps of one story: each is a test of its own, and none begins after one has failed.
 */
export function stepsOf(t) {
  return async (name, work) => {
    let failure;
    await t.test(name, async t => {
      try {
        await work(t);
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    if (failure) throw new Error(`the story ends at: ${name}`);
  };
}
