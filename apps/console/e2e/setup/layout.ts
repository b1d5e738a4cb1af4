import { expect, type Page } from '@playwright/test';

/** The page fits a window of 800 pixels: it does not scroll sideways. */
export async function expectFitsNarrowWindow(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 800, height: 700 });
  // Charts get their new size a moment later.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.setViewportSize(size);
}
