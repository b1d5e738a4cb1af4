import { join } from 'node:path';
import type { Page } from '@playwright/test';

const folder = join(import.meta.dirname, '../../../../docs/console');

/**
 * Writes pictures of the page in both themes, and in a narrow window, to docs/console, only with UPDATE_SCREENSHOTS=1: fonts differ between machines, so that
 * pictures cannot be compared. `fullPage`: also what is below the window, which a dialog or a notice over the page does not cover.
 */
export async function capture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (process.env.UPDATE_SCREENSHOTS !== '1') return;
  const wide = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage });
  }
  await page.setViewportSize({ width: 420, height: 800 });
  await page.screenshot({ path: join(folder, `${name}-narrow.png`), fullPage });
  if (wide) await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: null });
}
