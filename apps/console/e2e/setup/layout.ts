import { expect, type Page } from '@playwright/test';

/** The page fits a window of 800 pixels: it does not scroll sideways. */
export async function expectFitsNarrowWindow(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 800, height: 700 });
  // Charts get their new size a moment later.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.setViewportSize(size);
}

/** Adds up, from the next page on, how much of it moves without an input of the user. */
export async function measureShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.moved = 0;
    window.movedParts = [];
    new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput, sources }) => {
      if (hadRecentInput) return;
      window.moved += value;
      window.movedParts.push(...sources.map(({ node }) => node?.className ?? node?.nodeName));
    })).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** The sum so far; Web Vitals call up to 0.1 good. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate('window.moved');

/** The classes of the parts that moved, to find the cause. */
export const movedParts = (page: Page): Promise<string[]> => page.evaluate('window.movedParts');
