import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Locator, type Page } from '@playwright/test';
import type * as Axe from 'axe-core';

/** In the page. */
declare const axe: typeof Axe;

/** Less than half as long as the text of the package's main file, which every document would get and parse. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const dialog = '[role="dialog"]';
const part = '[data-checked-part]';

/** An element of the page. */
interface Markable {
  setAttribute(name: string, value: string): void;
}

/** The width of WCAG's success criterion 1.4.10, Reflow: a page enlarged four times. */
const narrow = { width: 320, height: 800 };

/**
 * Checks the page as it is: by axe in both themes, and that nothing but tables scrolls sideways in a narrow window. Of a page with a dialog,
 * axe checks the dialog: nobody reaches what is behind it.
 *
 * @param parts what axe checks of a page that another test checks as a whole, which takes longest
 */
export async function expectAccessible(page: Page, ...parts: Locator[]): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  for (const one of parts) await one.evaluate((element: Markable) => element.setAttribute('data-checked-part', ''));
  const hasDialog = (await page.locator(dialog).count()) > 0;
  const include = [...(hasDialog ? [dialog] : []), ...(parts.length > 0 ? [part] : [])];
  expect(await violationsOf(page, 'light', include, { type: 'tag', values: rules })).toEqual([]);
  // Only colours differ between the themes.
  expect(await violationsOf(page, 'dark', include, { type: 'rule', values: ['color-contrast'] })).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
  const wide = page.viewportSize();
  await page.setViewportSize(narrow);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width);
  if (wide) await page.setViewportSize(wide);
}

/** @param include selectors of what is checked; none: the page */
async function violationsOf(
  page: Page,
  colorScheme: 'light' | 'dark',
  include: string[],
  runOnly: Axe.RunOptions['runOnly'],
): Promise<object[]> {
  await page.emulateMedia({ colorScheme });
  return page.evaluate(findViolations, { include, options: { runOnly, resultTypes: ['violations' as const] } });
}

/** Runs in the page, which sends nothing but the violations. */
async function findViolations({ include, options }: { include: string[]; options: Axe.RunOptions }): Promise<object[]> {
  const { violations } = await axe.run({ include, exclude: [] }, options);
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    elements: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
  }));
}
