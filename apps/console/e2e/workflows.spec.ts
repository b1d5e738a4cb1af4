import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';

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

test('workflows are listed by status', async ({ page, open, organization, problems }) => {
  const { client } = organization;
  await seed(organization);
  await client.workflows.create({ name: 'Import', jobs: [job('fetch')] });
  await open('/workflows');
  const rows = page.getByRole('table', { name: 'Workflows' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expectAccessible(page);
  await capture(page, 'workflows');
  await page.getByLabel('Status').selectOption('Failed');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('2 of 5');
  expect(new URL(page.url()).search).toBe('?status=failed');
  await page.getByRole('searchbox', { name: 'Name contains' }).fill('import');
  await expect(page.getByText('No workflow matches these filters')).toBeVisible();
  expect(problems).toEqual([]);
});

test('a failed workflow shows where it failed, and is retried from there', async ({
  page,
  open,
  organization,
  problems,
}) => {
  const id = await seed(organization);
  await open(`/workflows/${id}`);
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
  await page.getByRole('textbox', { name: 'Type "cancel" to confirm' }).fill('cancel');
  await page.getByRole('button', { name: 'Cancel the workflow' }).click();
  await expect(graph.getByRole('link', { name: /^total/ })).toContainText('Cancelled');
  expect((await client.workflows.get(id)).status).toBe('cancelled');
  expect(problems).toEqual([]);
});
