import { expectAccessible } from './setup/accessibility.js';
import { expect, Receiver, test as base } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { capture } from './setup/screenshots.js';
import { confirmTyped } from './setup/typed-act.js';

const test = base.extend<{ receiver: Awaited<ReturnType<typeof Receiver.open>> }>({
  // Playwright reads the names of fixtures from the first parameter.
  // oxlint-disable-next-line no-empty-pattern
  receiver: async ({}, use) => {
    const receiver = await Receiver.open();
    await use(receiver);
    await receiver.close();
  },
});

test.describe('webhooks that are sent', () => {
  test('one is added, its secret is shown once, and its calls are signed with it', async ({
    page,
    open,
    organization: { client },
    receiver,
    problems,
  }) => {
    await open('/webhooks');
    await expect(page.getByText('There are no webhooks yet')).toBeVisible();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Billing');
    await dialog.getByRole('textbox', { name: 'Address (URL)' }).fill(receiver.url());
    await expect(dialog.getByRole('button', { name: 'Add the webhook' })).toBeDisabled();
    await dialog.getByRole('checkbox', { name: 'Job created' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add the webhook' }).click();
    const shown = page.getByRole('dialog', { name: 'The new secret' });
    await expect(shown.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await receiver.received(1);
    expect(receiver.calls[0]!.headers['x-spooled-signature']).toBeTruthy();
    const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').nth(1);
    await expect(row).toContainText('Billing');
    await row.getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('button', { name: 'Test…' }).click();
    await page.getByRole('button', { name: 'Send a test call' }).click();
    await expect(page.getByRole('dialog')).toContainText('It arrived');
    await expect(page.getByRole('dialog')).toContainText('Response 200');
    await page.getByRole('combobox', { name: 'Event' }).selectOption('job.failed');
    await expect(page.getByRole('dialog')).not.toContainText('It arrived');
    await expect(page.getByRole('dialog')).toContainText('The webhook does not listen to this event.');
    await page.getByRole('button', { name: 'Send a test call' }).click();
    await expect(page.getByRole('dialog')).toContainText('It arrived');
    expect(JSON.parse(receiver.calls.at(-1)!.body)).toMatchObject({
      event: 'job.failed',
      data: { status: 'deadletter', queue_name: 'emails' },
    });
    await expectAccessible(page);
    await capture(page, 'webhook-test', { fullPage: false });
    expect(problems).toEqual([]);
  });

  test('a failed delivery shows its request and response, and is sent again', async ({
    page,
    open,
    show,
    organization: { client },
    receiver,
    problems,
  }) => {
    receiver.respond = (_call, response) => response.writeHead(500).end('<b>out of order</b>');
    const events = ['job.created' as const];
    const { id } = await client.outgoingWebhooks.create({ name: 'Billing', url: receiver.url(), events });
    const job = await client.jobs.create({ queueName: 'emails', payload: { to: 'ann@example.com' } });
    await receiver.received(2);
    await open('/webhooks');
    const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').nth(1);
    await expect(row).toContainText('Failing, 1 in a row', { timeout: 45_000 });
    await expect(row).toContainText('0 % of last 1');
    await expectAccessible(page);
    await capture(page, 'webhooks');
    await expectFitsNarrowWindow(page);
    await row.getByRole('link', { name: 'Billing' }).click();
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await expect(deliveries.getByRole('row').nth(1)).toContainText('Failed');
    await capture(page, 'webhook');
    await expectFitsNarrowWindow(page);
    await page.getByRole('button', { name: 'Send again…' }).click();
    const missed = page.getByRole('dialog', { name: 'Send again what Billing missed' });
    await expect(missed).toContainText('1 delivery would be sent again');
    await missed.getByRole('combobox', { name: 'Event', exact: true }).selectOption('job.failed');
    await expect(missed).toContainText('No failed delivery is of this time');
    await expect(missed.getByRole('button', { name: 'Send' })).toBeDisabled();
    await missed.getByRole('combobox', { name: 'Event', exact: true }).selectOption('');
    await expectAccessible(page);
    await missed.getByRole('button', { name: 'Send 1 delivery' }).click();
    await expect(page.getByRole('heading', { name: 'Send deliveries again' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(page.getByText('Undone: nothing was changed')).toBeVisible();
    await show(`/webhooks/${id}`);
    await deliveries.getByRole('button', { name: 'job.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delivery of job.created' });
    await expect(dialog.getByRole('group', { name: 'Response' })).toHaveText('<b>out of order</b>');
    await expect(dialog.getByRole('group', { name: 'Request' })).toContainText(job.id);
    await expectAccessible(page);
    await capture(page, 'webhook-delivery');
    receiver.respond = (_call, response) => response.end('thanks');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await receiver.received(3);
    await expect(dialog).toContainText('It has arrived.', { timeout: 45_000 });
    await expect(dialog.getByRole('button', { name: 'Send again' })).toBeDisabled();
    expect((await client.outgoingWebhooks.deliveries(id))[0]).toMatchObject({ status: 'success', attempts: 3 });
    expect(problems).toEqual([]);
  });

  test('one is disabled, gets a new secret, is changed and deleted', async ({
    page,
    open,
    organization: { client },
    receiver,
  }) => {
    const { id } = await client.outgoingWebhooks.create({
      name: 'Billing',
      url: receiver.url(),
      events: ['queue.paused', 'queue.resumed'],
    });
    await open(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
    expect(await client.outgoingWebhooks.get(id)).toMatchObject({ enabled: false });
    await page.getByRole('button', { name: 'New secret…' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await expect(page.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Change…' }).click();
    const edit = page.getByRole('dialog', { name: 'Change Billing' });
    await edit.getByRole('textbox', { name: 'Name' }).fill('Invoices');
    await edit.getByRole('checkbox', { name: 'Queue paused' }).uncheck();
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible();
    expect(await client.outgoingWebhooks.get(id)).toMatchObject({ events: ['queue.resumed'], enabled: false });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await confirmTyped(page, 'Invoices', 'Delete the webhook');
    await expect(page.getByText('There are no webhooks yet')).toBeVisible();
    expect(await client.outgoingWebhooks.list()).toEqual([]);
  });
});

test('received webhooks lead to the jobs that they became', async ({ page, open, organization: { client, id } }) => {
  const { token } = await client.organizations.webhookToken();
  const webhook = { queueName: 'payments', eventType: 'paid', payload: {}, idempotencyKey: 'payment-1' };
  await client.ingestion.custom({ organizationId: id, token, webhook });
  await client.ingestion.custom({ organizationId: id, token, webhook });
  await open('/webhooks');
  await page.getByRole('link', { name: 'Received' }).click();
  const rows = page.getByRole('table', { name: 'Received webhooks' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expectAccessible(page);
  await capture(page, 'webhooks-received');
  await expectFitsNarrowWindow(page);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Accepted before');
  await expect(rows).toHaveCount(2);
  await expect.poll(() => new URL(page.url()).search).toBe('?status=duplicate');
  const [job] = await client.jobs.list({ queue: 'payments' });
  await rows
    .nth(1)
    .getByRole('link', { name: `…${job!.id.slice(-8)}` })
    .click();
  await expect(page.getByRole('heading', { name: `Job …${job!.id.slice(-8)}` })).toBeVisible();
});

test('refused webhooks show the reason, and not what they had as proof', async ({
  page,
  open,
  organization: { client, id },
  problems,
}) => {
  const webhook = { queueName: 'payments', payload: {} };
  const { token } = await client.organizations.webhookToken();
  await client.ingestion.custom({ organizationId: id, token, webhook });
  for (const forged of ['whk_forged', 'whk_forged', '<b>whk_html</b>']) {
    await expect(client.ingestion.custom({ organizationId: id, token: forged, webhook })).rejects.toThrow();
  }
  await open('/webhooks/received');
  await expect(page.getByText(/^A call of custom was refused/)).toBeVisible({ timeout: 45_000 });
  await page.getByRole('link', { name: 'Show refused calls' }).click();
  const rows = page.getByRole('table', { name: 'Received webhooks' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Refused');
  await expect(rows.nth(1)).toContainText('Invalid webhook token');
  await expect(rows.nth(1).getByRole('cell').last()).toHaveText(/^[123]$/);
  await expect(page.getByText(/whk_/)).toHaveCount(0);
  await expect.poll(() => new URL(page.url()).search).toBe('?status=refused');
  await expectAccessible(page, rows.nth(1));
  await capture(page, 'webhooks-refused');
  await expectFitsNarrowWindow(page);
  await page.getByRole('combobox', { name: 'State' }).selectOption('All accepted');
  await expect(rows.nth(1)).toContainText('Accepted');
  expect(problems).toEqual([]);
});
