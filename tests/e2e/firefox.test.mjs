// The core of the app in Firefox. Going offline is a server that is gone.

import { test } from 'node:test';
import { coreStory } from './harness/core_story.mjs';
import { Firefox } from './harness/firefox.mjs';

test('Firefox: signing in, a live answer, opening without a server, sending later', async t => {
  await coreStory(t, await Firefox.start(t));
});
