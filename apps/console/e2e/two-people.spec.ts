import { expect, test } from './setup/fixtures.js';

test.describe('what somebody else has changed while a form is open stays, or is shown before it is replaced: of', () => {
  test('the settings of a queue', async ({ page, open, organization: { client } }) => {
    await client.queues.configure('emails', { settings: { cause_report_jobs: 5, cause_report_minutes: 10 } });
    await open('/queues/emails');
    await page.getByRole('button', { name: 'Change settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings of emails' });
    await dialog.getByLabel('Retries').fill('7');
    const changed = { rateLimit: 0.5, defaultTimeout: 77, settings: { cause_report_jobs: 5, concurrency: 3 } };
    await client.queues.configure('emails', changed);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await client.queues.get('emails')).toMatchObject({ ...changed, maxRetries: 7 });

    await page.getByRole('button', { name: 'Report failures…' }).click();
    const reports = page.getByRole('dialog', { name: 'Reports of failures of emails' });
    await expect(reports.getByRole('button', { name: 'Save' })).toBeDisabled();
    await reports.getByLabel('Dead letters of the cause').fill('7');
    await client.queues.configure('emails', { settings: { cause_report_jobs: 0, cause_report_minutes: null } });
    await reports.getByRole('button', { name: 'Save' }).click();
    await expect(reports.getByRole('alert')).toContainText('Somebody else has changed this meanwhile: rule');
    expect((await client.queues.get('emails')).settings).toMatchObject({ cause_report_jobs: 0 });
  });

  test('a schedule', async ({ page, open, organization: { client } }) => {
    const job = { queueName: 'emails', payloadTemplate: { to: 'all' } };
    const { id } = await client.schedules.create({ name: 'Digest', cronExpression: '0 9 * * *', ...job });
    await open(`/schedules/${id}`);
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Digest' });
    await dialog.getByLabel('Description').fill('Every morning');
    const changed = { cronExpression: '0 7 * * *', timezone: 'Europe/Berlin', payloadTemplate: { to: 'some' } };
    await client.schedules.update(id, changed);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await client.schedules.get(id)).toMatchObject({ ...changed, name: 'Digest', description: 'Every morning' });
  });

  test('a key, whose role and queues have become fewer', async ({ page, open, organization: { client } }) => {
    const { id } = await client.apiKeys.create({ name: 'Robot', role: 'admin' });
    await open('/keys');
    await page.getByRole('button', { name: 'Actions for Robot' }).click();
    await page.getByRole('menuitem', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Robot' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Robot 2');
    await client.apiKeys.update(id, { role: 'viewer', queues: ['emails'] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await client.apiKeys.get(id)).toMatchObject({ name: 'Robot 2', role: 'viewer', queues: ['emails'] });
  });

  test('the organization', async ({ page, open, organization: { client, id, name } }) => {
    await client.organizations.update(id, { settings: { color: 'red', team: 'A' } });
    await open('/organization');
    await page.getByRole('button', { name: 'Change…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the organization' });
    await dialog.getByLabel('Settings (JSON)').fill('{"color": "blue"}');
    await client.organizations.update(id, { name: `${name} 2`, settings: { color: 'red', team: 'A', shift: 'night' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    const after = await client.organizations.get(id);
    expect(after.name).toBe(`${name} 2`);
    expect(after.settings).toMatchObject({ color: 'blue', shift: 'night' });
    expect(after.settings).not.toHaveProperty('team');
  });

  test('a webhook', async ({ page, open, organization: { client } }) => {
    const url = 'https://example.com/old';
    const { id } = await client.outgoingWebhooks.create({ name: 'Hook', url, events: ['job.failed'] });
    await open(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Hook' });
    await dialog.getByRole('checkbox', { name: 'Job created' }).check();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Alerts');
    const changed = { url: 'https://example.com/new', events: ['job.failed' as const, 'queue.paused' as const] };
    await client.outgoingWebhooks.update(id, changed);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText('events (now job.failed, queue.paused)');
    expect(await client.outgoingWebhooks.get(id)).toMatchObject({ ...changed, name: 'Hook' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await client.outgoingWebhooks.get(id)).toMatchObject({
      name: 'Alerts',
      url: changed.url,
      events: ['job.created', 'job.failed'],
    });
  });
});

test('an act that fails after its dialog was left says so', async ({ page, open, organization: { client } }) => {
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await open('/queues/emails');
  const requested = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('**/queues/emails/pause', async (route) => {
    requested.resolve();
    await answer.promise;
    await route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Somebody was faster' } });
  });
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: 'Pause the queue' }).click();
  await requested.promise;
  await page.getByRole('button', { name: 'Cancel' }).click();
  // Another dialog in its place, which the answer to the first must not close.
  await page.getByRole('button', { name: 'Drain…' }).click();
  answer.resolve();
  await expect(page.getByText('Pause emails: Somebody was faster')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeVisible();
});
