import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { capture } from './setup/screenshots.js';

/** Two workers; the first one holds two jobs, one of them with progress. */
async function seed({ client }: Organization): Promise<{ workerId: string; jobId: string }> {
  const job = { payload: { job_type: 'thumbnail' } };
  await client.jobs.createMany({ queueName: 'images', jobs: [job, job] });
  const workerId = 'images-1';
  await client.workers.register({
    ...{ queueName: 'images', hostname: 'render-1.example', workerId, maxConcurrency: 4, version: '2.4.1' },
    metadata: { zone: 'a', note: '<b>spare</b>' },
  });
  await client.workers.register({ queueName: 'emails', hostname: 'mail-1.example', workerId: 'emails-1' });
  const lease = { leaseDurationSecs: 600, waitSeconds: 10 };
  const jobs = await client.jobs.claim({ queueName: 'images', workerId, limit: 2, ...lease });
  const { id: jobId, leaseId } = jobs[0]!;
  await client.jobs.progress(jobId, { workerId, leaseId, progress: 40, message: 'page 2 of 5' });
  await client.workers.heartbeat(workerId, { currentJobs: 2 });
  return { workerId, jobId };
}

test('workers are listed with their slots, versions and states; one shows the jobs that it holds, and is drained', async ({
  page,
  open,
  show,
  organization,
  problems,
}) => {
  const { workerId, jobId } = await seed(organization);
  const { client } = organization;
  await open('/workers');
  const rows = page.getByRole('table', { name: 'Workers' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  const row = rows.filter({ has: page.getByRole('link', { name: 'render-1.example' }) });
  await expect(row).toContainText('Healthy');
  await expect(row).toContainText('2 of 4');
  await expect(row).toContainText('2.4.1');
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Host, id or queue contains' }).fill('EMAILS');
  await expect(rows).toHaveCount(2);
  await expect.poll(() => new URL(page.url()).search).toBe('?q=EMAILS');
  await page.getByLabel('Status').selectOption('Offline');
  await expect(page.getByText('No worker matches these filters')).toBeVisible();

  await show(`/workers/${workerId}`);
  const jobs = page.getByRole('table', { name: 'Running jobs' }).getByRole('row');
  await expect(jobs).toHaveCount(3);
  const job = jobs.filter({ has: page.getByRole('link', { name: `…${jobId.slice(-8)}` }) });
  await expect(job).toContainText('40 % page 2 of 5');
  await expect(page.getByRole('group', { name: 'Metadata' })).toContainText('<b>spare</b>');
  await expectAccessible(page);
  await capture(page, 'worker');
  await expectFitsNarrowWindow(page);
  await page.getByRole('button', { name: 'Drain…' }).click();
  await expect(page.getByRole('dialog')).toContainText('It holds 2 jobs now, which it ends.');
  await page.getByRole('button', { name: 'Drain the worker' }).click();
  await expect(page.getByText('Draining', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Drain….*it drains already/ })).toBeDisabled();
  expect((await client.workers.get(workerId)).status).toBe('draining');

  await page.getByRole('button', { name: 'Deregister…' }).click();
  await page.getByRole('button', { name: 'Deregister the worker' }).click();
  await expect(page.getByText('render-1.example is deregistered')).toBeVisible();
  expect((await client.workers.get(workerId)).status).toBe('offline');
  expect(problems).toEqual([]);
});

test('a job leads to its worker, also to one that is not registered', async ({
  page,
  open,
  show,
  organization,
  problems,
}) => {
  const { client } = organization;
  const { jobId } = await seed(organization);
  const { id } = await client.jobs.create({ queueName: 'reports', payload: {} });
  await client.jobs.claim({ queueName: 'reports', workerId: 'nobody-knows', leaseDurationSecs: 600, waitSeconds: 10 });
  await open(`/jobs/${jobId}`);
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'images-1' }).click();
  await expect(page.getByRole('heading', { name: 'render-1.example' })).toBeVisible();
  await show(`/jobs/${id}`);
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'nobody-knows' }).click();
  await expect(page.getByText('No worker is registered with this id')).toBeVisible();
  // Chromium notes the refused request of the second worker.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

test('BX-25 all workers of a version are drained until it says so, and taken back', async ({
  page,
  open,
  organization,
  problems,
}) => {
  const { client } = organization;
  const { workerId } = await seed(organization);
  await client.workers.register({ queueName: 'images', hostname: 'render-2', workerId: 'images-2', version: '2.4.1' });
  await open('/workers');
  const row = page
    .getByRole('table', { name: 'Versions' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: '2.4.1' }) });
  await expect(row).toContainText('Takes jobs');
  await row.getByRole('button', { name: 'Drain…' }).click();
  await expect(page.getByRole('dialog')).toContainText('They end the 2 jobs that they hold now');
  await page.getByRole('button', { name: 'Drain 2 workers' }).click();
  await expect(row).toContainText('Draining: 1 of 2 drained');
  await expectAccessible(page, row);
  const { jobs } = await client.workers.jobs(workerId);
  for (const { id } of jobs) await client.jobs.complete(id, { workerId });
  await expect(row.getByText('Drained', { exact: true })).toBeVisible();
  // 20 s after its last heartbeat it would be degraded.
  await client.workers.heartbeat(workerId, { currentJobs: 0 });
  await row.getByRole('button', { name: 'Take back' }).click();
  await expect(row).toContainText('Takes jobs');
  expect(await client.workers.get(workerId)).toMatchObject({ status: 'healthy', drainRequestedAt: null });
  expect(problems).toEqual([]);
});
