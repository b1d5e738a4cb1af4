import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { capture } from './setup/screenshots.js';
import { confirmTyped } from './setup/typed-act.js';

test.describe('API keys', () => {
  test('one is created for a role and a queue, is shown once, changed and revoked, and the page keeps the focus', async ({
    page,
    open,
    organization: { client },
    problems,
  }) => {
    await open('/keys');
    const table = page.getByRole('table', { name: 'API keys' });
    const row = (name: string) => table.getByRole('row').filter({ hasText: name });
    await expect(row('Initial Admin Key')).toContainText('This session');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('On call');
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Viewer, read only');
    await dialog.getByRole('textbox', { name: 'Queues' }).fill('emails, reports');
    await dialog.getByLabel('Expires').fill('2100-01-01T00:00');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog', { name: 'The new key' });
    await expect(shown.getByRole('textbox', { name: 'API key' })).toHaveValue(/^sk_/);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await expect(row('On call')).toContainText('emails, reports');
    await expectAccessible(page);
    await capture(page, 'keys');
    await expectFitsNarrowWindow(page);
    const find = async () => (await client.apiKeys.list()).find(({ name }) => name.startsWith('On call'))!;
    expect(await find()).toMatchObject({ role: 'viewer', queues: ['emails', 'reports'], isActive: true });
    const acts = page.getByRole('button', { name: 'Actions for On call' });
    const choose = async (act: string) => {
      await acts.press('Enter');
      await page.getByRole('menuitem', { name: act }).press('Enter');
    };
    await choose('Change…');
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Operator');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row('On call')).toContainText('Operator');
    // A frame after the dialog has gone; a menu that opens before closes again when it loses the focus.
    await expect(acts).toBeFocused();
    await choose('Change…');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(acts).toBeFocused();
    // The page may learn after the dialog has closed that the row is gone.
    const list = '**/api/v1/api-keys?*';
    const earlier = await (await page.waitForResponse(list)).text();
    await page.route(list, (route) => route.fulfill({ contentType: 'application/json', body: earlier }));
    await choose('Revoke…');
    await confirmTyped(page, 'On call', 'Revoke the key');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(acts).toBeFocused();
    await page.unroute(list);
    await expect(row('On call')).toHaveCount(0);
    // The button that had it is gone.
    await expect(page.getByRole('main')).toBeFocused();
    await page.getByRole('checkbox', { name: 'Show revoked and expired keys too' }).check();
    await expect(row('On call')).toContainText('Revoked');
    expect(await find()).toMatchObject({ role: 'operator', isActive: false });
    expect(problems).toEqual([]);
  });

  test('and webhooks are not for operators of one queue, who get the reason', async ({ page, openAs, show }) => {
    await openAs({ name: 'Mailers', role: 'operator', queues: ['emails'] }, '/keys');
    await expect(page.getByText('API keys are for administrators of the organization')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create a key' })).toHaveCount(0);
    await show('/organization');
    await expect(page.getByText('Inbound webhooks and members are for administrators')).toBeVisible();
    await show('/webhooks');
    await expect(
      page.getByRole('button', { name: /^Add a webhook.*not possible: it takes a key for all queues/ }),
    ).toBeDisabled();
  });
});
