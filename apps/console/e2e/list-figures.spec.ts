import type { Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import { eventually, expect, Receiver, test } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';
import { readSql } from './setup/sql.js';

/** The cells of a table, by the titles of its columns. */
async function rowsOf(page: Page, name: string): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name, exact: true });
  const titles = await table.getByRole('columnheader').allTextContents();
  const texts: Record<string, string>[] = [];
  for (const row of (await table.getByRole('row').all()).slice(1)) {
    const cells = await row.getByRole('cell').allTextContents();
    texts.push(Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ''])));
  }
  return texts;
}

/** Expects some cells of each row of a table, in its order. */
const expectRows = (page: Page, name: string, expected: Record<string, unknown>[]) =>
  expect(async () => expect(await rowsOf(page, name)).toMatchObject(expected)).toPass();

test.describe('the figures of lists are those of SQL', () => {
  test('BX-25 of job types', async ({ page, open, organization: { client, id }, stack, problems }) => {
    const jobs = (jobType: string, count: number) =>
      Array.from({ length: count }, () => ({ payload: { job_type: jobType } }));
    await client.jobs.createMany({ queueName: 'emails', jobs: jobs('receipt', 40) });
    await runJobs(client, 'emails', 30, () => ({ result: null }));
    await client.jobs.createMany({ queueName: 'reports', jobs: jobs('monthly', 12) });
    let number = 0;
    await runJobs(client, 'reports', 8, () => (number++ % 4 ? { result: null } : { error: 'HTTP 500' }));
    const found = await readSql<{ type: string; created: number; completed: number; failed: number }>(
      stack,
      `SELECT job_type AS type, count(*)::int AS created, count(*) FILTER (WHERE outcome = 'completed')::int AS completed,
         count(*) FILTER (WHERE id IN (SELECT job_id FROM job_history WHERE event = 'failed'))::int AS failed
       FROM jobs WHERE organization_id = $1 GROUP BY 1 ORDER BY 2 DESC`,
      [id],
    );
    expect(found).toEqual([
      { type: 'receipt', created: 40, completed: 30, failed: 0 },
      { type: 'monthly', created: 12, completed: 6, failed: 2 },
    ]);
    await open('/types');
    await expectRows(
      page,
      'Job types',
      found.map(({ type, created, completed, failed }) => ({
        Type: type,
        'In/min': `${created}${created} in 1 h`,
        'Done/min': `${completed}${completed} in 1 h`,
        'Failed/min': `${failed}${failed} in 1 h`,
        Failed: `${Math.floor((failed / (completed + failed)) * 100)} %`,
      })),
    );
    await expect(page.getByText('Jobs created in the last hour.')).toBeVisible();
    await expectAccessible(page);
    const head = page.getByRole('columnheader', { name: 'Failed', exact: true });
    await head.getByRole('button').click();
    await expectRows(page, 'Job types', [{ Type: 'monthly' }, { Type: 'receipt' }]);
    await page.getByRole('link', { name: 'monthly' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?queue=reports&type=monthly');
    expect(problems).toEqual([]);
  });

  test('BX-25 of running jobs and workers', async ({ page, open, show, organization: { client, id }, stack }) => {
    await client.workers.register({ queueName: 'emails', hostname: 'h1', workerId: 'w1', maxConcurrency: 4 });
    await client.jobs.createMany({ queueName: 'emails', jobs: Array.from({ length: 5 }, () => ({ payload: {} })) });
    const held = await client.jobs.claim({ queueName: 'emails', workerId: 'w1', limit: 4, waitSeconds: 10 });
    await client.jobs.complete(held[0]!.id, { workerId: 'w1', leaseId: held[0]!.leaseId });
    await client.jobs.fail(held[1]!.id, { workerId: 'w1', leaseId: held[1]!.leaseId, error: 'HTTP 500' });
    await client.workers.heartbeat('w1', { currentJobs: 2 });
    const running = await readSql<{ attempt: string }>(
      stack,
      `SELECT retry_count + 1 || ' of ' || max_retries + 1 AS attempt FROM job_queue WHERE organization_id = $1 AND state = 'leased'
       ORDER BY started_at, job_id`,
      [id],
    );
    expect(running).toHaveLength(2);
    await open('/running');
    await expectRows(
      page,
      'Running jobs',
      running.map(({ attempt }) => ({ Attempt: attempt, Queue: 'emails', Worker: 'h1' })),
    );
    await expect(page.getByText('2 in all')).toBeVisible();
    // Counters of workers are merged by a task.
    await eventually(async () => {
      const [worker] = await readSql<{ done: string; failed: string }>(
        stack,
        'SELECT jobs_processed::text AS done, jobs_failed::text AS failed FROM workers WHERE organization_id = $1',
        [id],
      );
      expect(worker).toEqual({ done: '1', failed: '1' });
    });
    await show('/workers');
    await expectRows(page, 'Workers', [{ 'Slots in use': '2 of 4', Completed: '1', Failed: '1' }]);
  });

  test('BX-25 of batches', async ({ page, open, organization: { client, id }, stack }) => {
    const { id: batchId } = await client.batches.create({ name: 'Invoices' });
    await client.batches.add(batchId, {
      queueName: 'invoices',
      jobs: Array.from({ length: 20 }, () => ({ payload: {} })),
    });
    let number = 0;
    await runJobs(client, 'invoices', 9, () => (number++ % 3 ? { result: number } : { error: 'HTTP 500' }));
    await client.workers.register({ queueName: 'invoices', hostname: 'h2', workerId: 'w2' });
    await client.jobs.claim({ queueName: 'invoices', workerId: 'w2', limit: 2, waitSeconds: 10 });
    const [waiting] = await client.jobs.list({ queue: 'invoices', status: 'pending' });
    await client.jobs.cancel(waiting!.id);
    const [found] = await readSql<
      Record<'total' | 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled', number>
    >(
      stack,
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE r.status = 'pending')::int AS waiting,
         count(*) FILTER (WHERE r.status = 'processing')::int AS running, count(*) FILTER (WHERE r.status = 'completed')::int AS succeeded,
         count(*) FILTER (WHERE r.status = 'deadletter')::int AS failed, count(*) FILTER (WHERE r.status = 'cancelled')::int AS cancelled
       FROM job_records r WHERE r.organization_id = $1 AND r.id IN (SELECT job_id FROM batch_jobs WHERE batch_id = $2)`,
      [id, batchId],
    );
    expect(found).toEqual({ total: 20, waiting: 8, running: 2, succeeded: 6, failed: 3, cancelled: 1 });
    const { total, waiting: waits, running, succeeded, failed, cancelled } = found!;
    await open('/batches');
    await expectRows(page, 'Batches', [
      {
        Batch: 'Invoices',
        Status: 'Open',
        'Jobs ended': `${succeeded + failed + cancelled} of ${total}`,
        Running: String(running),
        'Dead letters': String(failed),
      },
    ]);
    await page.getByRole('link', { name: 'Invoices' }).click();
    const counts = page.getByRole('region', { name: 'Counts' }).locator('dd');
    await expect(counts).toHaveText([total, waits, running, succeeded, failed, cancelled].map(String));
    for (const [choice, count] of [
      ['Not ended yet', waits + running],
      ['Succeeded', succeeded],
      ['Dead letters', failed],
      ['Cancelled', cancelled],
    ] as const) {
      await page.getByRole('combobox', { name: 'Jobs' }).selectOption(choice);
      await expect(page.getByRole('table', { name: 'Jobs of the batch' })).toHaveAttribute(
        'aria-rowcount',
        String(count + 1),
      );
    }
  });

  test('BX-25 of webhooks and schedules', async ({ page, open, show, organization: { client, id }, stack }) => {
    const receiver = await Receiver.open();
    try {
      const webhook = await client.outgoingWebhooks.create({
        name: 'Orders',
        url: receiver.url(),
        events: ['job.created'],
      });
      const jobs = Array.from({ length: 3 }, () => ({ payload: {} }));
      await client.jobs.createMany({ queueName: 'emails', jobs });
      const counted = async () =>
        (
          await readSql<{ ended: number; good: number }>(
            stack,
            `SELECT count(*)::int AS ended, count(*) FILTER (WHERE status = 'success')::int AS good FROM webhook_deliveries
             WHERE webhook_id = $1 AND status <> 'pending'`,
            [webhook.id],
          )
        )[0]!;
      await eventually(async () => expect(await counted()).toEqual({ ended: 3, good: 3 }));
      await open('/webhooks');
      await expectRows(page, 'Webhooks', [{ Webhook: 'Orders', Events: '1', Delivered: '100 % of last 3' }]);
      await show(`/webhooks/${webhook.id}`);
      await expect(page.getByRole('region', { name: 'Deliveries' }).getByText('3 in all')).toBeVisible();
    } finally {
      await receiver.close();
    }
    const schedule = { name: 'Nightly', cronExpression: '0 2 * * *', queueName: 'reports', payloadTemplate: {} };
    const { id: scheduleId } = await client.schedules.create(schedule);
    await client.schedules.trigger(scheduleId);
    const [stored] = await readSql<{ next: Date; runs: number }>(
      stack,
      'SELECT next_run_at AS next, run_count::int AS runs FROM schedules WHERE organization_id = $1',
      [id],
    );
    await show('/schedules');
    await expectRows(page, 'Schedules', [{ Schedule: 'Nightly', Runs: String(stored!.runs) }]);
    await expect(page.locator(`time[title="${stored!.next.toISOString()}"]`)).toBeVisible();
  });

  test('BX-25 of the audit log, which says whether more entries follow', async ({
    page,
    open,
    organization,
    stack,
  }) => {
    const entries = 'FROM audit_log WHERE organization_id = $1';
    const [before] = await readSql<{ n: number }>(stack, `SELECT count(*)::int AS n ${entries}`, [organization.id]);
    expect(before!.n).toBeGreaterThan(0);
    await open('/audit');
    await expect(page.getByText(`${before!.n} in all`)).toBeVisible();
    await readSql(
      stack,
      `INSERT INTO audit_log (organization_id, at, action, target_kind, target_id)
       SELECT $1, now(), 'queue.paused', 'queue', 'emails' FROM generate_series(1, 200)`,
      [organization.id],
    );
    await page.reload();
    await expect(page.getByText(/^\d+ shown, more follow as you scroll$/)).toBeVisible();
    const all = page.getByText(`${before!.n + 200} in all`);
    await expect(async () => {
      await page.mouse.wheel(0, 20_000);
      await expect(all).toBeVisible({ timeout: 500 });
    }).toPass();
  });
});
