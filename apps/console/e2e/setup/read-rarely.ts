import type { Page } from '@playwright/test';

/**
 * From the next page on, views are read as often as in production, so that a refresh neither counts as a request of the first screen nor
 * hides what was not drawn at first. Not by a route: with one the browser keeps no files, so that each screen would load all again.
 */
export const readRarely = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    const { setInterval } = window;
    window.setInterval = (act, ms) => setInterval(act, Math.max(ms, 15_000));
  `);
