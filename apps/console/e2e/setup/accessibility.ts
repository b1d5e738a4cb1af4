import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Checks the page as it is, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
    const found = violations.map(({ id, help, nodes }) => ({
      theme: colorScheme,
      id,
      help,
      elements: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
    expect(found).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
