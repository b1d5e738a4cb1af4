import { expectAccessible } from './setup/accessibility.js';
import { eventually, expect, type Organization, test } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';

const text = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

// They wait for what the scheduler does every ten seconds, up to four times.
test.slow();

/** Waits until a sample has seen so many pending jobs; the scheduler samples every ten seconds. @returns the moment */
const sampled = async ({ client }: Organization, queue: string, pending: number): Promise<string> =>
  eventually(
    async () => {
      const moment = await client.monitoring.seriesAt(text(Date.now() - 500));
      expect(moment.queues).toMatchObject([{ queue, pending }]);
      return text(new Date(moment.at).getTime());
    },
    { timeoutMs: 60_000, everyMs: 500 },
  );

test.describe('the past hour', () => {
  test('BX-25 screens show the numbers of a moment, marked as past, and lead back to now', async ({
    page,
    open,
    organization,
    problems,
  }) => {
    const { client } = organization;
    await client.jobs.createMany({ queueName: 'emails', jobs: [{ payload: {} }, { payload: {} }, { payload: {} }] });
    const at = await sampled(organization, 'emails', 3);
    await runJobs(client, 'emails', 3, () => ({ result: 'sent' }));

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
    await expect(row('Queues').getByRole('cell').nth(2)).toHaveText('0');
    await page.keyboard.press('ArrowLeft');
    await expect(control).toContainText('As of');
    await control.getByRole('button', { name: 'Back to now' }).click();
    await expect(row('Queues')).toBeVisible();
    // By then the jobs that ran have been measured and sampled.
    const measured = async () => {
      const { points } = await client.monitoring.series({ queue: 'emails' });
      expect(points.map(({ runMs }) => runMs?.jobs ?? 0).reduce((sum, jobs) => sum + jobs)).toBe(3);
    };
    await eventually(measured, { timeoutMs: 60_000, everyMs: 500 });
    expect(problems).toEqual([]);
  });

  test('BX-25 the overview shows no problems of now beside numbers of the past, and says what is not kept', async ({
    page,
    open,
    organization,
    problems,
  }) => {
    await organization.client.jobs.create({ queueName: 'emails', payload: {} });
    const at = await sampled(organization, 'emails', 1);
    await open('/');
    const list = page.getByRole('region', { name: 'Problems' });
    await expect(list).toContainText('emails');
    await open(`/?at=${at}`);
    await expect(page.getByText('Not kept: problems, workers')).toBeVisible();
    await expect(list).toBeHidden();
    await expect(page.getByRole('table', { name: 'Queues at this moment' })).toContainText('emails');
    await open('/?at=2020-01-01T00:00:00Z');
    await expect(page.getByText('The numbers of this moment are not kept')).toBeVisible();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await expect(list).toContainText('emails');
    expect(problems).toEqual([]);
  });
});
