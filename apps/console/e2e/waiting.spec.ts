import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';

test('a job that waits for a signal says so, and is resumed with a value', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  const { id } = await client.jobs.create({ queueName: 'orders', payload: {} });
  await client.jobs.claim({ queueName: 'orders', workerId: 'w1', limit: 1 });
  await client.jobs.wait(id, { workerId: 'w1', step: 'approval', waitFor: 'signal', waitMs: 3_600_000 });
  await open(`/jobs/${id}`);
  await expect(page.getByText('The job waits for the signal "approval"')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Attempts' })).toContainText('Waits in a step');
  await page.getByRole('button', { name: 'Resume…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resume this job' });
  await dialog.getByRole('textbox', { name: 'Payload (JSON)' }).fill('{"by": "Ada"}');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Resume the job' }).click();
  await expect(page.getByRole('button', { name: 'Resume…' })).toBeHidden();
  await expect.poll(() => client.jobs.steps(id)).toMatchObject([{ isDone: true, result: { by: 'Ada' } }]);
  expect(problems).toEqual([]);
});
