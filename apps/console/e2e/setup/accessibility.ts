import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import axe from 'axe-core';

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
  // Once per document. The builder would load axe twice for each analysis, half of its cost, so it gets an empty script.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const hasDialog = await page.locator(dialog).count();
  for (const one of parts) await one.evaluate((element: Markable) => element.setAttribute('data-checked-part', ''));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The page has no frames. Otherwise each analysis opens another page to join the results of frames, half of its cost.
    const builder = new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().options({ resultTypes: ['violations'] });
    if (hasDialog) builder.include(dialog);
    if (parts.length > 0) builder.include(part);
    // Only colours differ between the themes.
    const { violations } = await (
      colorScheme === 'light' ? builder.withTags(rules) : builder.withRules('color-contrast')
    ).analyze();
    const found = violations.map(({ id, help, nodes }) => ({
      theme: colorScheme,
      id,
      help,
      elements: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
    expect(found).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
  const wide = page.viewportSize();
  await page.setViewportSize(narrow);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width);
  if (wide) await page.setViewportSize(wide);
}
