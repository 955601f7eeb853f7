// The app's own words, so that tests look for what a person reads.

import { FluentBundle, FluentResource } from '@fluent/bundle';
import { readdirSync, readFileSync } from 'node:fs';

const LOCALES = new URL('../../../app/locales/', import.meta.url);

/** Looks words up in one language: `words('fr')('kin-talk')`. A missing key or argument is an error. */
export function words(language) {
  const bundle = new FluentBundle(language, { useIsolating: false });
  const folder = new URL(`${language}/`, LOCALES);
  for (const file of readdirSync(folder)) {
    const problems = bundle.addResource(new FluentResource(readFileSync(new URL(file, folder), 'utf8')));
    if (problems.length > 0) throw problems[0];
  }
  return (key, args = {}) => {
    const message = bundle.getMessage(key);
    if (!message?.value) throw new Error(`${language} has no ${key}`);
    return bundle.formatPattern(message.value, args);
  };
}
