import { writeFile } from 'node:fs/promises';
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
    await write(page, `${name}-${colorScheme}.png`, fullPage);
  }
  await page.setViewportSize({ width: 420, height: 800 });
  await write(page, `${name}-narrow.png`, fullPage);
  if (wide) await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: null });
}

/** Charts are drawn again when the size or the theme changes: the picture is the first that equals the one before, ten at most. */
async function write(page: Page, file: string, fullPage: boolean): Promise<void> {
  let before: Buffer | undefined;
  for (let attempt = 0; attempt < 10; attempt++) {
    const picture = await page.screenshot({ fullPage });
    if (before?.equals(picture)) break;
    before = picture;
  }
  await writeFile(join(folder, file), before!);
}
