// What can be said of any screen: it is accessible, fits, and has its picture taken.

import assert from 'node:assert/strict';
import axe from 'axe-core';
import { mkdir } from 'node:fs/promises';
import { DESKTOP, PHONE, TABLET } from './browser.mjs';
import { PICTURED } from './side_by_side.mjs';

/** As narrow as phones come. */
const NARROW = { width: 320, height: 640 };
const SIZES = { phone: PHONE, tablet: TABLET, desktop: DESKTOP };
const THEMES = ['light', 'dark'];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PICTURES = new URL('../../../docs/screens/', import.meta.url);
/** What pictures are kept as: enough to look at, few enough to keep. */
const PICTURED_AS = ['light.fr', 'dark.en'];

/**
 * Looks at the screen as it is now, in both themes and at three widths; `arrange` is done at each width first.
 *
 * Gives every finding in words. With `KINSTEAD_SCREENS=1` pictures go to `docs/screens/`.
 */
export async function look(app, screen, arrange = () => {}) {
  const { page } = app;
  const findings = [];
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await arrange();
      await settled(page);
      const where = `${screen}.${size}.${theme}.${app.language}`;
      // Colours do not change what fits, nor does the tablet's width what axe finds.
      if (theme === 'light') findings.push(...(await misfits(page)).map(finding => `${where}: ${finding}`));
      if (size !== 'tablet') findings.push(...(await accessibility(page)).map(finding => `${where}: ${finding}`));
      const isPictured = PICTURED.includes(screen) && PICTURED_AS.includes(`${theme}.${app.language}`);
      if (process.env.KINSTEAD_SCREENS === '1' && isPictured) {
        await mkdir(PICTURES, { recursive: true });
        await page.screenshot({ path: new URL(`${where}.jpg`, PICTURES).pathname, type: 'jpeg', quality: 82, animations: 'disabled' });
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  // The narrowest phone, and letters twice as large on an ordinary one: what fits is seen, nothing else.
  for (const [where, viewport, letters] of [['narrow', NARROW, ''], ['large', SIZES.phone, '200%']]) {
    await page.setViewportSize(viewport);
    await page.evaluate(size => { document.documentElement.style.fontSize = size; }, letters);
    await arrange();
    await settled(page);
    findings.push(...(await misfits(page)).map(finding => `${screen}.${where}.${app.language}: ${finding}`));
  }
  await page.evaluate(() => { document.documentElement.style.fontSize = ''; });
  await page.setViewportSize(DESKTOP);
  return findings;
}

/** Fails with all findings at once. */
export function assertNone(findings) {
  assert.equal(findings.length, 0, `\n${[...new Set(findings)].join('\n')}\n`);
}

/** Two frames: what a new size or theme asks for is drawn. */
async function settled(page) {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1) await new Promise(resolve => requestAnimationFrame(resolve));
    // A colour goes down the tree one element a frame: each ends its own transition before the next begins.
    const ending = () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    for (let moving = ending(); moving.length > 0; moving = ending()) {
      await Promise.all(moving.map(animation => animation.finished.catch(() => {})));
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
  });
}

async function accessibility(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async rules => {
    const { violations } = await window.axe.run(document, {
      runOnly: { type: 'tag', values: rules },
      resultTypes: ['violations'],
    });
    // Axe compares names with all that is visible, also with the letter of a face, which is a picture to everyone.
    const isOnlyAPicture = ({ target }) => {
      const element = document.querySelector(target[0]);
      const copy = element.cloneNode(true);
      copy.querySelectorAll('[aria-hidden=true]').forEach(hidden => hidden.remove());
      return element.getAttribute('aria-label')?.includes(copy.textContent.trim());
    };
    // What a bar at the bottom happens to cover in part is scrolled to by whoever wants it: it is looked at there.
    const isOnlyCovered = async ({ target, failureSummary }) => {
      if (!failureSummary.includes('obscured')) return false;
      const element = document.querySelector(target[0]);
      const scrolled = [];
      for (let at = element.parentElement; at; at = at.parentElement) scrolled.push([at, at.scrollTop]);
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const again = await window.axe.run(element, { runOnly: ['target-size'], resultTypes: ['violations'] });
      scrolled.forEach(([at, top]) => at.scrollTo({ top, behavior: 'instant' }));
      return again.violations.length === 0;
    };
    const excused = { 'label-content-name-mismatch': isOnlyAPicture, 'target-size': isOnlyCovered };
    const left = [];
    for (const { id, nodes } of violations) {
      for (const node of nodes) {
        if (!(await excused[id]?.(node))) left.push({ id, html: node.html, failureSummary: node.failureSummary });
      }
    }
    return left;
  }, RULES);
  return violations.map(({ id, html, failureSummary }) => `${id}: ${html.slice(0, 160)} — ${failureSummary.replace(/\s+/g, ' ')}`);
}

/** What sticks out of the window sideways, or of a box that does not scroll. */
async function misfits(page) {
  return page.evaluate(() => {
    const found = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth}px wide, the window ${width}px`);
    const scrolls = element => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== 'visible') return true;
      }
      return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
      const name = `<${element.localName} class="${element.getAttribute('class') ?? ''}"> “${(element.textContent ?? '').trim().slice(0, 40)}”`;
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && (box.right > width + 1 || box.left < -1) && !scrolls(element) && !element.closest('svg')) {
        found.push(`${name} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`);
      }
      const isScroller = element.matches('.k-scroll, .k-side__scroll, main');
      if (isScroller && element.scrollWidth > element.clientWidth + 1) found.push(`${name} scrolls sideways: ${element.scrollWidth} > ${element.clientWidth}`);
    }
    return found;
  });
}
