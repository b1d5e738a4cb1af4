import type { Locator } from '@playwright/test';
import { searchTerms } from '../src/screens/jobs/search-suggestions.js';
import { actOnMatching } from './setup/act-on-matching.js';
import { expectAccessible } from './setup/accessibility.js';
import { expect, Receiver, test } from './setup/fixtures.js';
import { capture } from './setup/screenshots.js';
import { endHold, runSql } from './setup/sql.js';
import { confirmTyped, typeToConfirm } from './setup/typed-act.js';

test.describe('jobs', () => {
  test('filters are part of the address and of the list', async ({ page, open, organization, problems }) => {
    const { client } = organization;
    await client.jobs.create({ queueName: 'emails', payload: { to: 'ann@example.com' }, tags: ['welcome'] });
    const { id } = await client.jobs.create({ queueName: 'reports', payload: { year: 2024 } });
    await client.jobs.cancel(id);
    await open('/jobs');
    const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row');
    await expect(rows).toHaveCount(3);
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Cancelled' }).check();
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText('reports');
    await expect.poll(() => new URL(page.url()).search).toBe('?status=cancelled');
    await page.getByRole('checkbox', { name: 'Cancelled' }).uncheck();
    await page.getByRole('searchbox', { name: 'Tag' }).fill('welcome');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText('emails');
    await page.reload();
    await expect(page.getByRole('searchbox', { name: 'Tag' })).toHaveValue('welcome');
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await expect(rows).toHaveCount(3);
    expect(problems).toEqual([]);
  });

  test('an order is found by its payload, its tag and its error, with suggestions', async ({
    page,
    open,
    organization,
    problems,
  }) => {
    const { client } = organization;
    const { id } = await client.jobs.create({ queueName: 'orders', payload: { order: { id: 4711 } } });
    await client.jobs.create({ queueName: 'orders', payload: { order: { id: 4712 } }, tags: { customer: 'acme' } });
    await open('/jobs');
    const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row');
    await expect(rows).toHaveCount(3);
    const line = page.getByRole('combobox', { name: 'Search', exact: true });
    await line.fill('payload.order.id=4711');
    await line.press('Enter');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(id.slice(-8));
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('payload.order.id=4711');
    await line.fill('tag:customer=acme que');
    await expect(page.locator('datalist option')).toHaveAttribute('value', 'tag:customer=acme queue:');
    await line.fill('tag:customer=acme queue:');
    await expect(page.locator('datalist option')).toHaveAttribute('value', 'tag:customer=acme queue:orders ');
    await line.fill('tag:customer=acme queue:orders ');
    await line.press('Enter');
    await expect(rows).toHaveCount(2);
    // The header's search line is the same.
    await page.getByRole('searchbox', { name: 'Search jobs' }).fill('error~"nothing failed"');
    await page.getByRole('searchbox', { name: 'Search jobs' }).press('Enter');
    await expect(page.getByText('No job matches these filters')).toBeVisible();
    await expect(line).toHaveValue('error~"nothing failed"');
    expect(problems).toEqual([]);
    await line.fill('ordr:1');
    await line.press('Enter');
    const terms = searchTerms.map(({ term }) => term).join(', ');
    await expect(page.getByText(`"ordr:" is not one of ${terms};`)).toBeVisible();
  });

  test('a job is enqueued by hand, its payload is checked against the contract, and its digits stay as they were typed', async ({
    page,
    open,
    organization: { client },
  }) => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    await client.queues.payloadContract.set('emails', { schema });
    await open('/jobs?queue=emails');
    await page.getByRole('button', { name: 'Enqueue' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enqueue a job' });
    await expect(dialog.getByRole('combobox', { name: 'Queue' })).toHaveValue('emails');
    await expect(dialog).toContainText('Checked against version 1 of the contract of emails');
    const payload = dialog.getByRole('textbox', { name: 'Payload (JSON)' });
    const enqueue = dialog.getByRole('button', { name: 'Enqueue' });
    await payload.fill('{"id": 9007199254740993');
    await expect(dialog.getByRole('alert')).toContainText('This is not JSON');
    await expect(enqueue).toBeDisabled();
    await payload.fill('{}');
    await dialog.getByRole('textbox', { name: 'Type' }).fill('welcome');
    await dialog.getByRole('textbox', { name: 'Idempotency key' }).fill('order-4711');
    await dialog.getByRole('spinbutton', { name: 'Delay in seconds' }).fill('3600');
    await expectAccessible(page);
    await enqueue.click();
    await expect(dialog.getByRole('alert')).toContainText('payload.id');
    await payload.fill('{"id": 9007199254740993}');
    await capture(page, 'enqueue', { fullPage: false });
    await enqueue.click();
    await expect(page.getByRole('group', { name: 'Payload' })).toContainText('9007199254740993');
    const [job] = await client.jobs.list({ queue: 'emails' });
    expect(await client.jobs.get(job!.id)).toMatchObject({
      status: 'scheduled',
      payload: { job_type: 'welcome', id: 9007199254740993n },
      idempotencyKey: 'order-4711',
    });

    await page.getByRole('button', { name: 'Enqueue a copy…' }).click();
    const copy = page.getByRole('dialog', { name: 'Enqueue a copy' });
    await copy.getByRole('textbox', { name: 'Tags (JSON)' }).fill('{"customer": "acme"}');
    await copy.getByRole('button', { name: 'Enqueue' }).click();
    await expect(page.getByRole('group', { name: 'Tags' })).toContainText('acme');
    expect(await client.jobs.list({ tag: 'customer' })).toMatchObject([{ status: 'pending', jobType: 'welcome' }]);
  });

  test('everything that matches is cancelled, counted first and confirmed by typing', async ({
    page,
    open,
    show,
    organization,
    stack,
  }) => {
    const { client } = organization;
    const jobs = (count: number) => Array.from({ length: count }, () => ({ payload: {} }));
    await client.jobs.createMany({ queueName: 'emails', jobs: jobs(100) });
    const welcome = Array.from({ length: 50 }, () => ({ payload: { job_type: 'welcome' } }));
    await client.jobs.createMany({ queueName: 'emails', jobs: welcome });
    await client.jobs.createMany({ queueName: 'reports', jobs: jobs(5) });
    await open('/jobs?search=welc');
    await expect(page.getByRole('button', { name: /^All that match.*filter by a queue first/ })).toBeDisabled();
    await show('/jobs?queue=emails&search=welc&status=pending%2Ccompleted');
    await actOnMatching(page, 'Cancel…');
    const name = 'Cancel jobs of emails that are pending that match “welc”';
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toContainText('50 jobs would be cancelled');
    const act = dialog.getByRole('button', { name: 'Cancel 50 jobs' });
    await expect(act).toBeDisabled();
    await typeToConfirm(dialog, 'emails');
    await expectAccessible(page);
    await act.click();
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    await endHold(stack, organization.id);
    await expect
      .poll(async () => [(await client.jobs.stats('emails')).cancelled, (await client.jobs.stats()).pending])
      .toEqual([50, 105]);
  });

  test('jobs that are chosen by the keyboard and as a range are patched, and a deletion asks for a word', async ({
    page,
    open,
    organization,
    stack,
    problems,
  }) => {
    const { client } = organization;
    for (const order of [1, 2, 3, 4]) await client.jobs.create({ queueName: 'orders', payload: { order } });
    const { id: cancelled } = await client.jobs.create({ queueName: 'mail', payload: { order: 5 } });
    await client.jobs.cancel(cancelled);
    await open('/jobs');
    const boxes = page.getByRole('table', { name: 'Jobs' }).getByRole('checkbox', { name: /^Choose [0-9a-f]{8}-/ });
    await expect(boxes).toHaveCount(5);
    const acts = page.getByRole('group', { name: 'Chosen jobs' });
    // The newest job comes first: the cancelled one.
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(acts).toContainText('1 chosen');
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await expect(acts).toContainText('3 chosen');
    await acts.getByRole('button', { name: 'Patch payload…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Patch the payload of jobs that were chosen' });
    await dialog.getByRole('textbox').fill('{"customer": 9007199254740993}');
    await expect(dialog).toContainText('2 jobs would be patched');
    await expect(dialog).toContainText('1 job of those that were chosen will not change.');
    await expect(dialog.getByRole('group', { name: 'Payload before' })).not.toContainText('customer');
    await expect(dialog.getByRole('group', { name: 'Payload after' })).toContainText('9007199254740993');
    await expectAccessible(page);
    await capture(page, 'jobs-patch', { fullPage: false });
    await dialog.getByRole('button', { name: 'Patch 2 jobs' }).click();
    await expect(acts).toBeHidden();
    await endHold(stack, organization.id);
    const payloads = async () => {
      const jobs = await client.jobs.list({ queue: 'orders' });
      const read = await Promise.all(jobs.map(({ id }) => client.jobs.get(id)));
      return read.map(({ payload }) => payload);
    };
    const patched = [3, 4].map((order) => ({ order, customer: 9007199254740993n }));
    await expect.poll(async () => new Set(await payloads())).toEqual(new Set([{ order: 1 }, { order: 2 }, ...patched]));

    await boxes.nth(1).click();
    await acts.getByRole('button', { name: 'Delete…' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete job that was chosen' });
    await typeToConfirm(deletion, 'delete');
    await expect(deletion.getByRole('button', { name: 'Delete 1 job' })).toBeEnabled();
    expect(problems).toEqual([]);
  });

  test('jobs that match get another priority and another queue and are run now, and the rest is deleted, counted first', async ({
    page,
    open,
    show,
    organization,
    stack,
  }) => {
    const { client } = organization;
    const scheduledAt = '2099-01-01T00:00:00Z';
    const jobs = Array.from({ length: 3 }, () => ({ payload: { order: 4711 }, scheduledAt }));
    await client.jobs.createMany({ queueName: 'orders', jobs });
    await client.jobs.create({ queueName: 'orders', payload: { order: 1 }, scheduledAt });
    await open('/jobs?queue=orders&search=payload.order%3D4711');
    const confirm = async (item: string, title: string, act: string, fill?: (dialog: Locator) => Promise<void>) => {
      await actOnMatching(page, item);
      const dialog = page.getByRole('dialog', { name: title });
      await fill?.(dialog);
      await confirmTyped(dialog, 'orders', act);
      // The server knows the operation, whose wait can end.
      await expect(dialog).toBeHidden();
      await endHold(stack, organization.id);
    };
    const found = (search: object) => client.jobs.list({ queue: 'orders', ...search });
    await confirm('Change priority…', 'Change the priority of jobs of orders', 'Change 3 jobs');
    await expect.poll(async () => (await found({})).map(({ priority }) => priority).sort()).toEqual([0, 10, 10, 10]);
    await confirm('Run now…', 'Run now jobs of orders that match “payload.order=4711”', 'Run now 3 jobs');
    await expect
      .poll(async () => (await found({})).map(({ status }) => status).sort())
      .toEqual(['pending', 'pending', 'pending', 'scheduled']);
    await confirm('Move…', 'Move jobs of orders', 'Move 3 jobs', async (dialog) => {
      await dialog.getByRole('textbox', { name: 'To the queue' }).fill('slow-orders');
      await expectAccessible(page);
    });
    await expect.poll(async () => (await client.jobs.stats('slow-orders')).pending).toBe(3);
    await show('/jobs?queue=orders');
    await confirm('Delete…', 'Delete jobs of orders', 'Delete 1 job', () => expectAccessible(page));
    await expect.poll(async () => (await client.jobs.list()).length).toBe(3);
  });
});

test.describe('one job', () => {
  test('shows its attempts, when it ended, its trace, and what it has caused before it is retried, also with an edited payload', async ({
    page,
    open,
    organization: { client },
    stack,
    problems,
  }) => {
    const receiver = await Receiver.open();
    await client.outgoingWebhooks.create({ name: 'Billing', url: receiver.url(), events: ['job.failed'] });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const backoff = { strategy: 'fixed' as const, delayMs: 1 };
    const payload = { to: 'ann@example', attempts: [1, 2, { deep: true }] };
    const { id } = await client.jobs.create({ queueName: 'emails', payload, maxRetries: 2, backoff });
    // As a gateway that sends traces stores it.
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await runSql(stack, 'UPDATE jobs SET traceparent = $2 WHERE id = $1', [id, traceparent]);
    const { id: workerId } = await client.workers.register({ queueName: 'emails', hostname: 'worker-1' });
    const fail = async (error: string, retry?: boolean) => {
      const [claimed] = await client.jobs.claim({ queueName: 'emails', workerId, waitSeconds: 10 });
      await client.jobs.fail(id, { workerId, leaseId: claimed!.leaseId, error, retry });
    };
    await fail('Error: connection refused');
    await fail('Error: connection refused');
    await fail('Error: mailbox <b>full</b>\n    at send');
    await receiver.received(1);
    await open(`/jobs/${id}`);
    await expect(page.getByText('Dead letter').first()).toBeVisible();
    await expect(page.getByRole('table', { name: 'Attempts' })).toContainText('connection refused');
    await expect(page.getByRole('img', { name: /^Timeline of a deadletter job: 3 attempts/ })).toBeVisible();
    const errors = page.getByRole('list', { name: 'Errors of attempts' }).getByRole('listitem');
    await expect(errors).toHaveCount(2);
    await expect(errors.first()).toContainText('Attempts 1 and 2');
    await expect(errors.last()).toContainText('mailbox <b>full</b>');
    await expect(page.getByRole('region', { name: 'Details' }).locator('dt:text("Ended") + dd')).toContainText('ago');
    const trace = page.getByRole('link', { name: traceId });
    await expect(trace).toHaveAttribute('href', `https://traces.example.com/trace/${traceId}`);
    await expect(trace).toHaveAttribute('rel', 'noopener noreferrer');
    await expectAccessible(page);
    await capture(page, 'job');

    await page.getByRole('button', { name: 'Retry…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry this job' });
    const effects = dialog.getByRole('list', { name: 'Side effects' });
    await expect(effects).toContainText('3 attempts ran');
    await expect(effects).toContainText('Webhook delivery of job.failed (delivered)');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect.poll(async () => (await client.jobs.get(id)).status).toBe('pending');

    await fail('Error: no such mailbox', false);
    await page.getByRole('button', { name: 'Edit and retry…' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit and retry' });
    const text = edit.getByRole('textbox', { name: 'Payload (JSON)' });
    await text.fill((await text.inputValue()).replace('ann@example', 'ann@example.com'));
    await edit.getByRole('button', { name: 'Retry with this payload' }).click();
    await expect(edit).toBeHidden();
    await expect(page.getByRole('group', { name: 'Payload' })).toContainText('"ann@example.com"');
    expect(await client.jobs.get(id)).toMatchObject({
      status: 'pending',
      payload: { ...payload, to: 'ann@example.com' },
    });
    await receiver.close();
    expect(problems).toEqual([]);
  });

  test('says why a waiting job has not started, and cancels it', async ({ page, open, organization }) => {
    const { client } = organization;
    const { id } = await client.jobs.create({ queueName: 'emails', payload: {} });
    await client.queues.pause('emails', 'Migration');
    await open(`/jobs/${id}`);
    await expect(page.getByRole('region', { name: 'Why' })).toContainText('The queue is paused');
    await expect(page.getByRole('region', { name: 'Why' })).toContainText('Migration');
    await page.getByRole('button', { name: 'Cancel job…' }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await expect(page.getByText('The job is cancelled', { exact: true })).toBeVisible();
    expect((await client.jobs.get(id)).status).toBe('cancelled');
  });
});
