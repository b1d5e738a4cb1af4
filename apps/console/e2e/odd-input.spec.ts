import { expect, test } from './setup/fixtures.js';

test('filters that are set one right after the other are all applied, and what is typed meanwhile stays', async ({
  page,
  open,
}) => {
  // Types on while the address takes over the letters before.
  await page.addInitScript(`
    const { replaceState } = history;
    history.replaceState = function (...entry) {
      replaceState.apply(this, entry);
      if (document.activeElement?.value === 'ema') document.execCommand('insertText', false, 'ils');
    };
  `);
  await open('/jobs');
  const queue = page.getByLabel('Queue', { exact: true });
  const type = page.getByLabel('Type', { exact: true });
  // Faster than the pause after which a typed filter applies.
  await queue.fill('emails');
  await type.fill('receipt');
  await page.getByLabel('Pending').check();
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ queue: 'emails', type: 'receipt', status: 'pending' });
  await expect(queue).toHaveValue('emails');
  await expect(type).toHaveValue('receipt');
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await expect(queue).toHaveValue('');
  await queue.pressSequentially('ema');
  await expect.poll(() => new URL(page.url()).search).toBe('?queue=emails');
  await expect(queue).toHaveValue('emails');
  // It still follows the address.
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await expect(queue).toHaveValue('');
});

test('a thing whose name shows nothing has a link that can be found', async ({ page, open, show, organization }) => {
  const name = '\u200B\u200B';
  const schedule = { cronExpression: '0 0 1 1 *', queueName: 'reports', payloadTemplate: {} };
  const { id } = await organization.client.schedules.create({ ...schedule, name });
  await organization.client.jobs.create({ queueName: 'reports', payload: { job_type: name } });
  await open('/schedules');
  await page.getByRole('link', { name: 'U+200B U+200B' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('U+200B U+200B');
  expect(page.url()).toContain(id);
  await show('/types');
  await page.getByRole('link', { name: 'U+200B U+200B' }).click();
  await expect(page.getByRole('table', { name: 'Jobs' }).getByRole('row')).toHaveCount(2);
});

test('a worker may call itself anything: its link leads to it, or there is none', async ({
  page,
  open,
  show,
  organization,
}) => {
  const { client } = organization;
  const worker = (text: string) => page.getByRole('region', { name: 'Details' }).getByText(text, { exact: true });
  const openJobOf = async (workerId: string, go = show) => {
    const { id } = await client.jobs.create({ queueName: 'emails', payload: {} });
    await client.jobs.claim({ queueName: 'emails', workerId, waitSeconds: 10 });
    await go(`/jobs/${id}`);
  };
  await openJobOf('..', open);
  await expect(worker('..')).toBeVisible();
  await expect(page.getByRole('link', { name: '..', exact: true })).toHaveCount(0);
  await openJobOf('\u200B/%2F?#');
  await worker('\u200B/%2F?#').click();
  await expect(page.getByText('No worker is registered with this id')).toBeVisible();
  await openJobOf('\u200B');
  await worker('U+200B').click();
  await expect(page.getByText('No worker is registered with this id')).toBeVisible();
});
