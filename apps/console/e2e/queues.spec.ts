import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';
import { capture } from './setup/screenshots.js';

test.describe('queues', () => {
  test('BX-16 the table says which queues stand still and why', async ({ page, open, organization, problems }) => {
    const { client } = organization;
    await client.jobs.create({ queueName: 'emails', payload: { to: 'a@example.com' } });
    await client.jobs.create({ queueName: 'reports', payload: {} });
    await client.queues.pause('reports', 'Printer is on fire');
    await open('/queues');
    const table = page.getByRole('table', { name: 'Queues' });
    const row = (name: string) => table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await expect(row('emails')).toContainText('No workers');
    await expect(row('reports')).toContainText('Paused');
    await expectAccessible(page);
    await capture(page, 'queues');
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('REP');
    await expect(row('emails')).toHaveCount(0);
    await expect(row('reports')).toBeVisible();
    expect(new URL(page.url()).search).toBe('?name=REP');
    expect(problems).toEqual([]);
  });

  test('one queue is paused with a reason, shows it to others, and is resumed', async ({
    page,
    open,
    organization,
  }) => {
    await organization.client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/queues/emails');
    await expect(page.getByText('No workers').first()).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Provider maintenance');
    await page.getByRole('button', { name: 'Pause the queue' }).click();
    const why = page.getByRole('region', { name: 'Why it does or does not move' });
    await expect(why).toContainText('Provider maintenance');
    await expectAccessible(page);
    await capture(page, 'queue');
    expect((await organization.client.queues.explain('emails')).problems[0]).toMatchObject({ code: 'queue_paused' });
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(why).not.toContainText('Provider maintenance');
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  });

  test('settings show their effect on waiting jobs before they are saved', async ({ page, open, organization }) => {
    const { client } = organization;
    await client.jobs.createMany({ queueName: 'emails', jobs: Array.from({ length: 60 }, () => ({ payload: {} })) });
    await client.queues.configure('emails', { settings: { team: 'mail' } });
    await open('/queues/emails');
    await page.getByRole('button', { name: 'Change settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings of emails' });
    await dialog.getByRole('textbox', { name: 'Rate limit in jobs per second' }).fill('0.5');
    await expect(dialog).toContainText('60 ready jobs take at least 2 min');
    await dialog.getByRole('spinbutton', { name: 'Concurrency' }).fill('3');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('region', { name: 'Settings' })).toContainText('0.5 jobs/s');
    expect(await client.queues.get('emails')).toMatchObject({
      rateLimit: 0.5,
      settings: { team: 'mail', concurrency: 3 },
    });
  });

  test('a queue is deleted only after its name was typed', async ({ page, open, organization }) => {
    const { client } = organization;
    await client.jobs.create({ queueName: 'old-reports', payload: {} });
    await open('/queues/old-reports');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const confirm = page.getByRole('button', { name: 'Delete the queue and 1 job' });
    await expect(confirm).toBeDisabled();
    await page.getByRole('textbox', { name: 'Type "old-reports" to confirm' }).fill('old-reports');
    await confirm.click();
    await expect(page.getByRole('heading', { name: 'Queues', level: 1 })).toBeVisible();
    await expect(page.getByText('There are no queues yet')).toBeVisible();
    expect(await client.queues.list()).toEqual([]);
  });
});
