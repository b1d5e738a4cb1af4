import type { Page } from '@playwright/test';

/** Opens the dialog of an act on all jobs that match the filters of the list. */
export async function actOnMatching(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'All that match' }).click();
  await page.getByRole('menuitem', { name: act }).click();
}
