import type { Locator, Page } from '@playwright/test';

/** Types the word that a dialog wants before an act that cannot be undone by itself. */
export const typeToConfirm = (dialog: Page | Locator, word: string): Promise<void> =>
  dialog.getByRole('textbox', { name: `Type "${word}" to confirm` }).fill(word);

/** Confirms such an act. */
export async function confirmTyped(dialog: Page | Locator, word: string, act: string): Promise<void> {
  await typeToConfirm(dialog, word);
  await dialog.getByRole('button', { name: act }).click();
}
