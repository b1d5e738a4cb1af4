import type { Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, test } from './setup/fixtures.js';

const table = (page: Page) => page.getByRole('table', { name: 'Queues' });
/** The names of the queues, from the top. */
const names = (page: Page) => table(page).getByRole('row').getByRole('link').allTextContents();

/** `busy` has no workers, `paused` is paused, and `idle-1` and `idle-10` have nothing to do. */
async function createQueues({ client }: Organization): Promise<void> {
  await client.jobs.createMany({ queueName: 'busy', jobs: Array.from({ length: 3 }, () => ({ payload: {} })) });
  for (const name of ['idle-10', 'idle-9']) await client.queues.configure(name, { settings: {} });
  await client.queues.configure('paused', { settings: {} });
  await client.queues.pause('paused', 'Upgrade');
}

test.describe('the table of queues', () => {
  test('BX-16 BX-25 says which queues are stopped and why, the worst first, with one request, filtered and sorted', async ({
    page,
    open,
    organization,
    problems,
  }) => {
    await createQueues(organization);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await open('/queues');
    await expect.poll(() => names(page)).toEqual(['busy', 'paused', 'idle-10', 'idle-9']);
    const reads = requests.filter((path) => path.startsWith('/api/v1/queue'));
    expect(new Set(reads)).toEqual(new Set(['/api/v1/queue-explanations']));
    const row = (name: string) =>
      table(page)
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name, exact: true }) });
    await expect(row('busy')).toContainText('No workers');
    await expect(row('paused')).toContainText('Paused');
    await expectAccessible(page);

    const head = (name: string) => table(page).getByRole('columnheader', { name });
    await head('Queue').getByRole('button').click();
    await expect(head('Queue')).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(() => names(page)).toEqual(['busy', 'idle-9', 'idle-10', 'paused']);
    await head('Ready').getByRole('button').click();
    await expect(head('Ready')).toHaveAttribute('aria-sort', 'descending');
    await expect(head('Queue')).toHaveAttribute('aria-sort', 'none');
    expect((await names(page))[0]).toBe('busy');
    await head('Ready').getByRole('button').click();
    await expect.poll(async () => (await names(page))[3]).toBe('busy');
    // Queues without waiting jobs have no oldest one: they stay last.
    await head('Oldest').getByRole('button').click();
    await head('Oldest').getByRole('button').click();
    await expect(head('Oldest')).toHaveAttribute('aria-sort', 'ascending');
    expect((await names(page))[0]).toBe('busy');

    const states = page.getByRole('radiogroup', { name: 'State' });
    await expect(states.getByRole('radio')).toHaveText(['All 4', 'Stopped 2', 'Running 2']);
    await states.getByRole('radio', { name: 'Stopped 2' }).click();
    await expect.poll(() => names(page)).toEqual(['busy', 'paused']);
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('stopped');
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('PAU');
    await expect.poll(() => names(page)).toEqual(['paused']);
    await expect.poll(() => new URL(page.url()).searchParams.get('name')).toBe('PAU');
    expect(problems).toEqual([]);
  });

  test('BX-16 BX-26 rows are reached, chosen and opened by keys, columns are hidden, and chosen queues paused and resumed', async ({
    page,
    open,
    organization,
  }) => {
    const { client } = organization;
    await createQueues(organization);
    await open('/queues');
    await expect.poll(() => names(page)).toHaveLength(4);
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await expect(page.getByRole('link', { name: 'paused', exact: true })).toBeFocused();
    await page.keyboard.press('x');
    await expect(page.getByRole('checkbox', { name: 'Choose paused' })).toBeChecked();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Rate limit' }).click();
    await page.keyboard.press('Escape');
    await expect(table(page).getByRole('columnheader', { name: 'Rate limit' })).toHaveCount(0);
    await page.reload();
    await expect.poll(() => names(page)).toHaveLength(4);
    await expect(table(page).getByRole('columnheader', { name: 'Rate limit' })).toHaveCount(0);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'busy' })).toBeVisible();

    await page.goBack();
    const box = (name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });
    await box('busy').click();
    await box('idle-10').click({ modifiers: ['Shift'] });
    await expect(page.getByText('3 chosen')).toBeVisible();
    await page.getByRole('button', { name: 'Pause 2…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pause 2 queues' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Move');
    await dialog.getByRole('button', { name: 'Pause the queues' }).click();
    await expect(page.getByText('2 queues are paused')).toBeVisible();
    const isEnabled = async (name: string) => (await client.queues.get(name)).enabled;
    expect(await Promise.all(['busy', 'paused', 'idle-10', 'idle-9'].map(isEnabled))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    await page.getByRole('checkbox', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Resume 3' }).click();
    await expect(page.getByText('3 queues are resumed')).toBeVisible();
    expect(await isEnabled('paused')).toBe(true);
  });
});
