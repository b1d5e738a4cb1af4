import { expectAccessible } from './setup/accessibility.js';
import { expect, fromNow, test } from './setup/fixtures.js';
import { seedSeries } from './setup/seed-series.js';

/** A minute ago, as a member of an address. */
const aMinuteAgo = (): string =>
  fromNow(-60_000)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');

test.describe('the past hour', () => {
  test('BX-25 screens show the numbers of a moment, marked as past, and lead back to now', async ({
    page,
    open,
    organization: { client, id },
    stack,
    problems,
  }) => {
    const job = await client.jobs.create({ queueName: 'emails', payload: {} });
    await client.jobs.cancel(job.id);
    await seedSeries(stack, id, 'emails', { created: 3, completed: 0, processing: 0, pending: 3 });
    const at = aMinuteAgo();

    // A link to the moment, as somebody else would open it.
    await open(`/queues/emails?at=${at}`);
    const control = page.getByRole('group', { name: 'Time shown' });
    await expect(control).toContainText(/As of \d\d:\d\d:\d\d UTC, .* ago/);
    await expect(page.getByRole('region', { name: 'At this moment' })).toContainText('Pending3');
    await expect(page.getByText('Not kept: why it moved or not, workers')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Pause.*not possible: the page shows the past/ })).toBeDisabled();
    await expect(page.getByRole('button', { name: /^Delete….*not possible: the page shows the past/ })).toBeDisabled();
    await expect(page.getByRole('img', { name: /^Depth: Pending 3/ })).toBeVisible();
    await expect(page.getByText('Live', { exact: true })).toBeHidden();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'All queues' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(at);
    const row = (table: string) =>
      page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: 'emails' });
    await expect(row('Queues at this moment').getByRole('cell').nth(1)).toHaveText('3');

    // By keyboard to now, and back.
    await page.getByRole('slider', { name: 'Moment of the past hour' }).focus();
    await page.keyboard.press('End');
    await expect(control).toContainText('Showing now');
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect(row('Queues').getByRole('cell').nth(3)).toHaveText('0');
    await page.keyboard.press('ArrowLeft');
    await expect(control).toContainText('As of');
    await control.getByRole('button', { name: 'Back to now' }).click();
    await expect(row('Queues')).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('BX-25 the overview shows no problems of now beside numbers of the past, and says what is not kept', async ({
    page,
    open,
    show,
    organization: { client, id },
    stack,
    problems,
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await seedSeries(stack, id, 'emails', { created: 1, completed: 0, processing: 0, pending: 1 });
    const at = aMinuteAgo();
    await open('/');
    const list = page.getByRole('region', { name: 'Problems' });
    await expect(list).toContainText('emails');
    await show(`/?at=${at}`);
    await expect(page.getByText('Not kept: problems, workers')).toBeVisible();
    await expect(list).toBeHidden();
    await expect(page.getByRole('table', { name: 'Queues at this moment' })).toContainText('emails');
    await show('/?at=2020-01-01T00:00:00Z');
    await expect(page.getByText('The numbers of this moment are not kept')).toBeVisible();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await expect(list).toContainText('emails');
    expect(problems).toEqual([]);
  });

  test('BX-25 a moment whose sample has not been taken yet shows as soon as it has', async ({
    page,
    open,
    organization: { id },
    stack,
  }) => {
    await seedSeries(stack, id, 'emails', { created: 3, completed: 0, processing: 0, pending: 3 });
    await page.clock.install();
    let isTaken = false;
    await page.route('**/api/v1/series/queues?*', async (route) => {
      const response = await route.fetch();
      const moment = (await response.json()) as { all: object };
      await route.fulfill({ response, json: isTaken ? moment : { ...moment, all: { ...moment.all, pending: null } } });
    });
    await open(`/queues?at=${fromNow(-20_000).toISOString()}`);
    await expect(page.getByText('Nothing is known of this moment yet')).toBeVisible();
    isTaken = true;
    await page.clock.fastForward(5_000);
    await expect(page.getByRole('table', { name: 'Queues at this moment' })).toContainText('emails');
  });
});
