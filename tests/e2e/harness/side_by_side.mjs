// `docs/screens/README.md`: each screen beside the mock-up it follows.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

const FOLDER = new URL('../../../docs/screens/', import.meta.url);

/** Screen, and the mock-up it follows. */
const PAIRS = [
  ['setup', 'onboarding-1'],
  ['wizard-providers', 'onboarding-2'],
  ['wizard-search', 'onboarding-3'],
  ['wizard-kin', 'onboarding-4'],
  ['sign-in', 'login'],
  ['home', 'home'],
  ['thread', 'chat-everyday'],
  ['thread-offline', 'offline'],
  ['thread-retrying', 'errors'],
  ['palette', 'palette'],
  ['kin-settings', 'kin-settings'],
  ['providers', 'providers'],
  ['members', 'members'],
];

/** Screens whose picture is kept. */
export const PICTURED = PAIRS.map(([screen]) => screen);

/** Writes the page for the pictures that are there. */
export async function writePage() {
  const picture = name => (existsSync(new URL(name, FOLDER)) ? `![${name}](${name})` : '');
  const rows = PAIRS.flatMap(([screen, mockup]) =>
    ['desktop', 'phone'].map(size => {
      const real = picture(`${screen}.${size}.light.fr.jpg`);
      return `| \`${screen}\`, ${size} | ![${mockup}](mockups/${mockup}.${size}.jpg) | ${real} |`;
    }),
  );
  const page = [
    '# The screens beside their mock-ups',
    '',
    'Left the mock-up, right the app as the browser tests see it (`KINSTEAD_SCREENS=1 cargo xtask test screens`',
    'takes the pictures anew). Mock-ups show the whole plan: tasks, routines, vault, memory, approvals are not there yet,',
    'and what is not there is not shown. The other pictures here are the same screens on a tablet, in the dark, in English.',
    '',
    '| screen | mock-up | app |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
  await writeFile(new URL('README.md', FOLDER), page);
}
