import { expectAccessible } from './setup/accessibility.js';
import { expect, msUntil, Spooled, test } from './setup/fixtures.js';
import { capture } from './setup/screenshots.js';
import { seedSeries } from './setup/seed-series.js';
import { endHold, endPauses } from './setup/sql.js';
import { typeToConfirm } from './setup/typed-act.js';

test.describe('queues', () => {
  test('BX-26 one queue is paused with a reason until a time, and is resumed by hand or when the time has come', async ({
    page,
    open,
    organization,
    stack,
  }) => {
    const { client } = organization;
    await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/queues/emails');
    await expect(page.getByText('No workers').first()).toBeVisible();
    await page.getByRole('button', { name: 'Pause…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pause emails' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Provider maintenance');
    await dialog.getByRole('combobox', { name: 'It is resumed' }).selectOption('automatically at a time…');
    await dialog.getByLabel('Time').fill('2020-01-01T12:00');
    await expect(dialog).toContainText('This time is in the past.');
    await expect(dialog.getByRole('button', { name: 'Pause the queue' })).toBeDisabled();
    await dialog.getByRole('combobox', { name: 'It is resumed' }).selectOption('automatically in an hour');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pause the queue' }).click();
    const why = page.getByRole('region', { name: 'Why it does or does not move' });
    await expect(why).toContainText('Provider maintenance');
    await expect(why).toContainText(/until in 59 min/);
    await expect(why).toContainText(/It is resumed automatically then\. Paused by (Session of key|Key) /);
    await expectAccessible(page, why);
    expect((await client.queues.get('emails')).pause).toMatchObject({
      reason: 'Provider maintenance',
      expiresAt: expect.any(String) as unknown,
    });
    const { pause } = await client.queues.get('emails');
    const change = page.getByRole('button', { name: 'Change the pause', exact: true });
    await page.getByRole('button', { name: 'Change the pause…' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Provider maintenance, longer');
    await change.click();
    await expect(why).toContainText('Provider maintenance, longer');
    expect((await client.queues.get('emails')).pause?.expiresAt).toBe(pause!.expiresAt);
    await page.getByRole('button', { name: 'Change the pause…' }).click();
    await page.getByRole('combobox', { name: 'It is resumed' }).selectOption('manually');
    await change.click();
    await expect(why).not.toContainText('automatically');
    expect((await client.queues.get('emails')).pause).toMatchObject({ expiresAt: null });
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(why).not.toContainText('Provider maintenance');
    await expect(page.getByRole('button', { name: 'Pause…' })).toBeVisible();

    // By somebody else, and ended by the scheduler.
    await client.queues.pause('emails', { reason: 'For a moment', durationSeconds: 600 });
    await expect(why).toContainText('For a moment');
    await endPauses(stack, organization.id);
    await expect(why).not.toContainText('For a moment');
    await expect.poll(async () => (await client.queues.get('emails')).pause).toBeNull();
    await expect
      .poll(async () => (await client.audit.list({ action: 'queue.updated' }))[0])
      .toMatchObject({ actor: { kind: 'system', id: 'queue-pauses' }, targetId: 'emails' });
  });

  test('BX-15 one queue is drained: what waits is cancelled, what runs goes on', async ({
    page,
    open,
    organization,
    stack,
  }) => {
    const { client } = organization;
    const jobs = Array.from({ length: 30 }, () => ({ payload: {} }));
    const later = Array.from({ length: 5 }, () => ({ payload: {}, scheduledAt: '2100-01-01T00:00:00Z' }));
    await client.jobs.createMany({ queueName: 'emails', jobs: [...jobs, ...later] });
    await client.jobs.claim({ queueName: 'emails', workerId: 'worker-1', limit: 2, leaseDurationSecs: 600 });
    await open('/queues/emails');
    await page.getByRole('button', { name: 'Drain…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drain emails' });
    await expect(dialog).toContainText('33 jobs would be cancelled');
    await dialog.getByRole('checkbox', { name: 'Keep jobs that are scheduled for later' }).check();
    await expect(dialog).toContainText('28 jobs would be cancelled');
    await dialog.getByRole('checkbox', { name: /^Pause the queue first/ }).check();
    const act = dialog.getByRole('button', { name: 'Cancel 28 jobs' });
    await expect(act).toBeDisabled();
    await typeToConfirm(dialog, 'emails');
    await expectAccessible(page);
    await act.click();
    await expect(page.getByRole('heading', { name: 'Cancel jobs', level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/operations\//);
    await endHold(stack, organization.id);
    await expect(page.getByText('Completed', { exact: true })).toBeVisible();
    expect(await client.jobs.stats('emails')).toMatchObject({ cancelled: 28, scheduled: 5, processing: 2, pending: 0 });
    expect((await client.queues.get('emails')).pause).toMatchObject({ reason: 'The queue is being drained' });
  });

  test('BX-25 a flooding customer is throttled for 30 minutes from the table of producers, and released', async ({
    page,
    open,
    show,
    organization,
    stack,
  }) => {
    const { client } = organization;
    await client.jobs.create({ queueName: 'emails', payload: {} });
    const { id, key } = await client.apiKeys.create({ name: 'Nightly import', role: 'worker' });
    const flooder = new Spooled({ baseUrl: stack.baseUrl, apiKey: key, retry: { retries: 0 } });
    const jobs = Array.from({ length: 99 }, () => ({ payload: {}, tags: { customer: 'acme' } }));
    const flood = () => flooder.jobs.createMany({ queueName: 'emails', jobs });
    for (let i = 0; i < 3; i++) await flood();
    await open('/queues/emails');
    const row = page.getByRole('table', { name: 'By creator' }).getByRole('row').filter({ hasText: 'Nightly import' });
    // 297 of 298.
    await expect(row).toContainText('99 %');
    await row.getByRole('button', { name: 'Throttle…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Throttle Nightly import' });
    await expect(dialog.getByRole('spinbutton', { name: 'For how many minutes' })).toHaveValue('30');
    await dialog.getByRole('spinbutton', { name: 'Jobs per second' }).fill('0.01');
    await expect(dialog).toContainText('Of 297 jobs in the last 10 min it would have admitted 100');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Throttle' }).click();
    await expect(page.getByText('Nightly import is throttled to 0.01 jobs/s for 30 min')).toBeVisible();
    const [throttle] = await client.throttles.list();
    expect(throttle).toMatchObject({ apiKeyId: id, queueName: 'emails', perSecond: 0.01 });
    expect(Date.parse(throttle!.expiresAt) - Date.parse(throttle!.createdAt)).toBeGreaterThanOrEqual(1_800_000);
    expect(msUntil(throttle!.expiresAt)).toBeLessThanOrEqual(1_800_000);
    await expect(page.getByText('beyond 0.01 per second are refused')).toBeVisible();
    await flood();
    await expect(flood()).rejects.toMatchObject({ status: 429, code: 'THROTTLED' });
    await client.jobs.createMany({ queueName: 'emails', jobs });
    await show('/');
    await expect(page.getByText('New jobs of Nightly import in emails are throttled')).toBeVisible();

    await show('/queues/emails');
    const held = page.getByRole('table', { name: 'Throttled' }).getByRole('row').filter({ hasText: 'Nightly import' });
    await held.getByRole('button', { name: 'Release' }).click();
    await expect(page.getByText('Nightly import is no longer throttled')).toBeVisible();
    await expect(held).toBeHidden();
    await flood();

    // From a job of the flood, and the queue as a whole.
    const throttleAs = async (title: string, subject?: string) => {
      await page.getByRole('button', { name: 'Throttle…' }).first().click();
      const other = page.getByRole('dialog', { name: title });
      if (subject) await other.getByRole('combobox', { name: 'What' }).selectOption({ label: subject });
      await expect(other).toContainText(/Of \d+ jobs in the last/);
      await other.getByRole('button', { name: 'Throttle' }).click();
      await expect(other).toBeHidden();
    };
    const [flooding] = await client.jobs.list({ queue: 'emails', tag: 'customer' });
    await show(`/jobs/${flooding!.id}`);
    await expect(page.getByRole('heading', { name: /^Job …/ })).toBeVisible();
    await throttleAs('Throttle new jobs', 'the tag customer=acme');
    await show('/queues/emails');
    await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
    await throttleAs('Throttle the queue emails');
    expect(await client.throttles.list()).toMatchObject([
      { apiKeyId: null, queueName: 'emails', tag: null },
      { apiKeyId: null, queueName: 'emails', tag: { name: 'customer', value: 'acme' } },
    ]);
  });

  test('BX-09 the owner of a contract sees which payloads violate it in mode warn, and its versions', async ({
    page,
    open,
    organization: { client },
    problems,
  }) => {
    const contract = { schema: { type: 'object', required: ['to'] } };
    await client.queues.payloadContract.set('emails', { schema: {} });
    await client.queues.payloadContract.set('emails', { ...contract, mode: 'warn', compatibility: 'none' });
    await client.jobs.createMany({ queueName: 'emails', jobs: [{ payload: {} }, { payload: {} }] });
    const counted = async () => (await client.queues.payloadContract.versions('emails'))[0]?.violations.count;
    await expect.poll(counted).toBe(2);
    await open('/queues/emails');
    const section = page.getByRole('region', { name: 'Payload contract' });
    await expect(section).toContainText('2 payloads violate version 2');
    await expect(section.getByRole('table', { name: 'Newest violations' })).toContainText('payload.to');
    const versions = section.getByRole('table', { name: 'Versions of the contract' }).getByRole('row');
    await expect(versions).toHaveCount(3);
    await expect(versions.nth(1)).toContainText('2, current');
    await expectAccessible(page, section);
    await section.getByRole('button', { name: 'Show the schema of version 2' }).click();
    await expect(page.getByRole('group', { name: 'Schema' })).toContainText('required');
    expect(problems).toEqual([]);
  });

  test('what more workers and other limits would do is computed from what was measured', async ({
    page,
    open,
    organization,
    stack,
    problems,
  }) => {
    const { client, id } = organization;
    await seedSeries(stack, id, 'emails', { created: 10, completed: 20, processing: 8 });
    await client.queues.configure('emails', { settings: { team: 'mail' } });
    const jobs = Array.from({ length: 100 }, () => ({ payload: {} }));
    for (let i = 0; i < 6; i++) await client.jobs.createMany({ queueName: 'emails', jobs });
    for (const workerId of ['w1', 'w2', 'w3', 'w4']) {
      await client.workers.register({ queueName: 'emails', hostname: workerId, workerId });
      await client.jobs.claim({ queueName: 'emails', workerId, limit: 2, leaseDurationSecs: 600 });
    }
    await open('/queues/emails?workers=-2');
    const section = page.getByRole('region', { name: 'With more workers' });
    await expect(section).toContainText(
      'Measured in the last 10 min: 2/s ended with 8 in progress on average, 1/s arrived; a further worker counts as 2 jobs at a time.',
    );
    const result = (name: string) =>
      section
        .locator('div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .last();
    await expect(result('As it goes now')).toContainText('Drained in 9 min');
    await expect(result('2 fewer workers')).toContainText('Keeps its length; it takes at least');
    const field = section.getByRole('spinbutton', { name: 'More workers' });
    await field.fill('4');
    await expect(result('4 more workers')).toContainText('Drained in 3 min');
    await expectAccessible(page, section);
    await capture(page, 'queue-what-if');

    await page.getByRole('button', { name: 'Change settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings of emails' });
    await dialog.getByRole('spinbutton', { name: 'Concurrency' }).fill('6');
    await expect(dialog).toContainText(
      '8 jobs are in progress: with 6, the next one starts when 3 of them have ended.',
    );
    await expect(dialog).toContainText('The backlog of 592 jobs would take 19 min 44 s instead of 9 min 52 s.');
    await dialog.getByRole('textbox', { name: 'Rate limit in jobs per second' }).fill('0.5');
    await expect(dialog).toContainText('2/s started in the last 10 min: the limit slows the queue down to 30/min.');
    await expect(dialog).toContainText('would not get shorter: 1/s arrive, and 30/min would end.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(result('4 more workers')).toContainText(
      'Grows by 30/min; the rate limit holds it back, whatever the number of workers',
    );
    await expect(page.getByRole('region', { name: 'Settings' })).toContainText('0.5 jobs/s');
    expect(await client.queues.get('emails')).toMatchObject({
      rateLimit: 0.5,
      settings: { team: 'mail', concurrency: 6 },
    });
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await field.fill('10');
    await expect.poll(() => new URL(page.url()).search).toBe('?workers=10');
    expect(problems).toEqual([]);
  });

  test('BX-37 the rule when causes of failures are reported is set, with the webhooks that get the reports', async ({
    page,
    open,
    organization,
    problems,
  }) => {
    const { client } = organization;
    await client.queues.configure('emails', { settings: { team: 'mail', cause_report_jobs: 0 } });
    await open('/queues/emails');
    const settings = page.getByRole('region', { name: 'Settings' });
    await expect(settings).toContainText('Causes of failures are reportedNever');
    await page.getByRole('button', { name: 'Report failures…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reports of failures of emails' });
    await expect(dialog).toContainText('No webhook gets the reports');
    await dialog.getByLabel('Report a cause').selectOption('At several dead letters');
    await dialog.getByRole('spinbutton', { name: 'Dead letters of the cause' }).fill('1');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await dialog.getByRole('spinbutton', { name: 'Dead letters of the cause' }).fill('5');
    await dialog.getByRole('spinbutton', { name: 'In minutes' }).fill('15');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(settings).toContainText('At 5 dead letters in 15 min');
    const rule = { cause_report_jobs: 5, cause_report_minutes: 15 };
    expect((await client.queues.get('emails')).settings).toEqual({ team: 'mail', ...rule });
    const hook = { url: 'https://example.com/', format: 'json' as const };
    await client.outgoingWebhooks.create({ name: 'Jobs', events: ['job.failed'], ...hook });
    await client.outgoingWebhooks.create({ name: 'On call', events: ['cause.appeared'], ...hook });
    await page.reload();
    await page.getByRole('button', { name: 'Report failures…' }).click();
    await expect(dialog).toContainText('Webhooks that get the reports: On call');
    await dialog.getByLabel('Report a cause').selectOption('At its first dead letter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(settings).toContainText('At the first dead letter');
    const usual = { cause_report_jobs: null, cause_report_minutes: null };
    expect((await client.queues.get('emails')).settings).toEqual({ team: 'mail', ...usual });
    expect(problems).toEqual([]);
  });

  test('a queue is deleted only after its name was typed, and not if that is undone', async ({
    page,
    open,
    organization,
  }) => {
    const { client } = organization;
    await client.jobs.create({ queueName: 'old-reports', payload: {} });
    await open('/queues/old-reports');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const confirm = page.getByRole('button', { name: 'Delete the queue and 1 job' });
    await expect(confirm).toBeDisabled();
    await typeToConfirm(page, 'old-reports');
    await confirm.click();
    await expect(page.getByRole('heading', { name: 'Queues', level: 1 })).toBeVisible();
    const bar = page.getByRole('region', { name: 'Actions that can be undone' });
    await expect(bar).toContainText('old-reports and 1 job will be deleted');
    await bar.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Undone: nothing was changed')).toBeVisible();
    expect((await client.queues.list()).map(({ queueName }) => queueName)).toEqual(['old-reports']);
  });
});
