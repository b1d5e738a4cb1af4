import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';
import { confirmTyped } from './setup/typed-act.js';

const job = (key: string, ...dependsOn: string[]) => ({ key, queueName: key, payload: { job_type: key }, dependsOn });

/** Five steps, of which one fails. Its dependents are cancelled with it. */
async function seed({ client }: Organization): Promise<string> {
  const { workflowId } = await client.workflows.create({
    name: 'Nightly report',
    description: 'Totals of the day',
    jobs: [job('extract'), job('clean', 'extract'), job('rates'), job('total', 'clean', 'rates'), job('mail', 'total')],
  });
  await runJobs(client, 'extract', 1, () => ({ result: 1 }));
  await runJobs(client, 'rates', 1, () => ({ result: 1 }));
  await runJobs(client, 'clean', 1, () => ({ error: 'Column <b>price</b> is missing' }));
  return workflowId;
}

test('a workflow runs again from one of its jobs, counted first', async ({ page, open, organization, problems }) => {
  const { client } = organization;
  const { workflowId } = await client.workflows.create({
    name: 'Nightly report',
    jobs: [job('extract'), job('rates'), job('total', 'extract', 'rates'), job('mail', 'total')],
  });
  for (const queue of ['extract', 'rates', 'total', 'mail']) await runJobs(client, queue, 1, () => ({ result: queue }));
  await open(`/workflows/${workflowId}`);
  const graph = page.getByRole('group', { name: 'Graph of the workflow' });
  await graph.getByRole('button', { name: 'Retry from rates…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Retry from rates' });
  await expect(dialog).toContainText('3 jobs of 4 would run again');
  await expect(dialog).toContainText('rates, total, mail');
  await expect(dialog).toContainText('3 jobs among them completed');
  await expectAccessible(page);
  await capture(page, 'workflow-retry-from', { fullPage: false });
  await dialog.getByRole('button', { name: 'Run 3 jobs again' }).click();
  await expect(graph.getByRole('link', { name: /^rates/ })).toContainText('Pending');
  await expect(graph.getByRole('link', { name: /^extract/ })).toContainText('Completed');
  await expect(graph.getByRole('button', { name: /^Retry from/ })).toHaveCount(1);
  expect((await client.workflows.get(workflowId)).jobs.map(({ key, status }) => `${key} ${status}`).sort()).toEqual([
    'extract completed',
    'mail pending',
    'rates pending',
    'total pending',
  ]);
  // A job that another needs and that has not completed is named.
  await runJobs(client, 'rates', 1, () => ({ error: 'No rates' }));
  await graph.getByRole('button', { name: 'Retry from mail…' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    'Job "mail" waits for "total", which has not completed: retry from there',
  );
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true })).toBeDisabled();
  expect(problems).toEqual([]);
});

test('workflows are listed by status; a failed one shows where it failed, and is retried from there', async ({
  page,
  open,
  show,
  organization,
  problems,
}) => {
  const id = await seed(organization);
  await organization.client.workflows.create({ name: 'Import', jobs: [job('fetch')] });
  await open('/workflows');
  const rows = page.getByRole('table', { name: 'Workflows' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expectAccessible(page);
  await capture(page, 'workflows');
  await page.getByLabel('Status').selectOption('Failed');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('2 of 5');
  await expect.poll(() => new URL(page.url()).search).toBe('?status=failed');
  await page.getByRole('searchbox', { name: 'Name contains' }).fill('import');
  await expect(page.getByText('No workflow matches these filters')).toBeVisible();

  await show(`/workflows/${id}`);
  const graph = page.getByRole('group', { name: 'Graph of the workflow' });
  await expect(graph.getByRole('link')).toHaveCount(5);
  await expect(graph.getByRole('link', { name: /^clean/ })).toContainText('Dead letter');
  await expect(graph.getByRole('link', { name: /^mail/ })).toContainText('Cancelled');
  const row = (key: string) =>
    page.getByRole('table', { name: 'Jobs of the workflow' }).getByRole('row', { name: new RegExp(`^${key} `) });
  await expect(row('clean')).toContainText('critical path');
  await expect(row('clean')).toContainText('Column <b>price</b> is missing');
  await expect(row('extract')).toContainText('critical path');
  await expect(row('rates')).not.toContainText('critical path');
  await expect(row('total')).toContainText('clean, rates');
  await expectAccessible(page);
  await capture(page, 'workflow');
  await expectFitsNarrowWindow(page);

  await page.getByRole('button', { name: 'Retry…' }).click();
  await page.getByRole('button', { name: 'Retry 3 jobs' }).click();
  await expect(graph.getByRole('link', { name: /^clean/ })).toContainText('Pending');
  const { client } = organization;
  await runJobs(client, 'clean', 1, () => ({ result: 1 }));
  await expect(graph.getByRole('link', { name: /^clean/ })).toContainText('Completed');
  await page.getByRole('button', { name: 'Cancel workflow…' }).click();
  await confirmTyped(page, 'cancel', 'Cancel the workflow');
  await expect(graph.getByRole('link', { name: /^total/ })).toContainText('Cancelled');
  expect((await client.workflows.get(id)).status).toBe('cancelled');
  expect(problems).toEqual([]);
});
