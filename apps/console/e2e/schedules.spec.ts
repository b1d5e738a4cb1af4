import { expectAccessible } from './setup/accessibility.js';
import { expect, fromNow, type Organization, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';
import { runSql } from './setup/sql.js';
import { confirmTyped } from './setup/typed-act.js';

/** Half a year from now, so that no schedule of these tests runs by itself. */
const month = ((fromNow(0).getUTCMonth() + 6) % 12) + 1;

/** A schedule in another zone that has run twice by hand: one job has completed, one has failed. */
async function seed({ client }: Organization): Promise<string> {
  const { id } = await client.schedules.create({
    ...{ name: 'Yearly report', cronExpression: `30 2 15 ${month} *`, timezone: 'Asia/Tokyo', queueName: 'reports' },
    payloadTemplate: { job_type: 'report', note: '<i>totals</i>' },
  });
  await client.schedules.trigger(id);
  await runJobs(client, 'reports', 1, () => ({ result: 'ok' }));
  await client.schedules.trigger(id);
  await runJobs(client, 'reports', 1, () => ({ error: 'No data' }));
  return id;
}

test('schedules are listed with their next runs and last outcome; one shows its runs, is run now, paused and resumed', async ({
  page,
  open,
  organization,
  problems,
  stack,
}) => {
  const { client } = organization;
  const yearly = await seed(organization);
  const paused = {
    name: 'Cleanup',
    cronExpression: `0 4 15 ${month} *`,
    timezone: 'UTC',
    queueName: 'ops',
    payloadTemplate: {},
  };
  const { id } = await client.schedules.create(paused);
  await client.schedules.pause(id);
  await open('/schedules');
  const rows = page.getByRole('table', { name: 'Schedules' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  const row = rows.filter({ has: page.getByRole('link', { name: 'Yearly report' }) });
  await expect(row).toContainText('Active');
  await expect(row).toContainText('02:30 Asia/Tokyo');
  await expect(row).toContainText('17:30:00 UTC');
  await expect(row).toContainText('Dead letter');
  await expectAccessible(page);
  await capture(page, 'schedules');
  await page.getByLabel('State').selectOption('Paused');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('Cleanup');
  await expect.poll(() => new URL(page.url()).search).toBe('?state=paused');

  await page.getByLabel('State').selectOption('Active');
  await page.getByRole('link', { name: 'Yearly report' }).click();
  const runs = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(runs).toHaveCount(3);
  await expect(page.getByText('All 2', { exact: true })).toBeVisible();
  await expect(runs.nth(1)).toContainText('Manually');
  await expect(runs.nth(1)).toContainText('Dead letter');
  await expect(runs.nth(2)).toContainText('Completed');
  await expect(page.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  await capture(page, 'schedule');
  await expectFitsNarrowWindow(page);

  await page.getByRole('button', { name: 'Run now…' }).click();
  await page.getByRole('button', { name: 'Enqueue one job' }).click();
  await expect(runs).toHaveCount(4);
  await expect(runs.nth(1)).toContainText('Pending');
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Next runs' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Resume…' }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  expect((await client.schedules.get(yearly)).isActive).toBe(true);

  // Its run count is 3, without runs that created no job.
  await runSql(
    stack,
    `INSERT INTO schedule_runs (organization_id, schedule_id, status, source, error_message)
     SELECT $1, $2, 'failed', 'schedule', 'limit reached' FROM generate_series(1, 60)`,
    [organization.id, yearly],
  );
  await page.reload();
  await expect(page.getByText('The newest 50', { exact: true })).toBeVisible();
  expect(problems).toEqual([]);
});

test('a schedule is created with a preview while one types, changed and deleted', async ({
  page,
  open,
  organization,
}) => {
  const { client } = organization;
  await open('/schedules');
  await page.getByRole('button', { name: 'New schedule…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New schedule' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Weekly digest');
  await dialog.getByRole('textbox', { name: 'Queue' }).fill('digests');
  const cron = dialog.getByRole('textbox', { name: 'Cron expression' });
  await cron.fill('0 9 * * 99');
  await expect(dialog.getByRole('alert')).toContainText(/cron/i);
  await expect(dialog.getByRole('button', { name: 'Create' })).toBeDisabled();
  await cron.fill('0 9 * * 1');
  await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Berlin');
  const next = dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem');
  await expect(next).toHaveCount(6);
  await expect(next.first()).toContainText(/Mon.*09:00 Europe\/Berlin/);
  await dialog.getByRole('textbox', { name: 'Payload (JSON)' }).fill('{"id": 9007199254740993}');
  await expectAccessible(page);
  await capture(page, 'schedule-new');
  await dialog.getByRole('button', { name: 'Create' }).click();

  await expect(page.getByRole('heading', { name: 'Weekly digest' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Payload' })).toContainText('9007199254740993');
  await page.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Daily digest');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Daily digest', exact: true })).toBeVisible();
  const [schedule] = await client.schedules.list();
  expect(schedule).toMatchObject({ name: 'Daily digest', timezone: 'Europe/Berlin', cronExpression: '0 9 * * 1' });
  expect(schedule!.payloadTemplate).toEqual({ id: 9007199254740993n });
  await page.getByRole('button', { name: 'Delete…' }).click();
  await confirmTyped(page, 'delete', 'Delete the schedule');
  await expect(page.getByText('There are no schedules yet')).toBeVisible();
});
