// The core of the app in WebKitGTK. Going offline is a server that is gone; a profile does not outlive the browser.

import { test } from 'node:test';
import { coreStory } from './harness/core_story.mjs';
import { WebKit } from './harness/webkit.mjs';

const skip = process.env.KINSTEAD_WEBKIT ? false : 'WebKitGTK’s driver is not installed';

test('WebKitGTK: signing in, a live answer, opening without a server, sending later', { skip }, async t => {
  await coreStory(t, await WebKit.start(t));
});
