import { expectAccessible } from './setup/accessibility.js';
import { expect, test } from './setup/fixtures.js';

test.use({ timezoneId: 'Europe/Berlin' });

test('a time says its offset, which of two equal hours it means, and may be in UTC', async ({
  page,
  open,
  organization: { client },
  problems,
}) => {
  await client.jobs.create({ queueName: 'emails', payload: {} });
  const after = () => new URL(page.url()).searchParams.get('after');
  await open('/jobs');
  const time = page.getByLabel('Created after', { exact: true });
  const zone = page.getByLabel('Zone: Created after');
  await time.fill('2026-07-01T12:00');
  await expect(zone.locator('option:checked')).toHaveText('UTC+02:00');
  expect(after()).toBe('2026-07-01T10:00:00.000Z');

  // Clocks show 2:30 twice that night: at first with daylight saving time.
  await time.fill('2026-10-25T02:30');
  await expect(zone.locator('option')).toHaveText(['UTC+02:00, earlier', 'UTC+01:00, later', 'UTC']);
  expect(after()).toBe('2026-10-25T00:30:00.000Z');
  const asked = page.waitForRequest((request) => request.url().includes('created_after=2026-10-25T01%3A30%3A00.000Z'));
  await zone.selectOption('UTC+01:00, later');
  await asked;
  await expect(time).toHaveValue('2026-10-25T02:30');
  expect(after()).toBe('2026-10-25T01:30:00.000Z');
  await expectAccessible(page, time, zone);
  await page.reload();
  await expect(zone.locator('option:checked')).toHaveText('UTC+01:00, later');

  // UTC shows the same moment, for all fields, and stays chosen.
  await zone.selectOption('UTC');
  await expect(time).toHaveValue('2026-10-25T01:30');
  expect(after()).toBe('2026-10-25T01:30:00.000Z');
  await time.fill('2026-10-25T00:45');
  expect(after()).toBe('2026-10-25T00:45:00.000Z');
  await open('/audit');
  await expect(page.getByLabel('Zone: Since').locator('option:checked')).toHaveText('UTC');
  await page.getByLabel('Zone: Since').selectOption('Local');

  // Clocks skip 2:30 that night, and show 3:30.
  await page.getByLabel('Since', { exact: true }).fill('2026-03-29T02:30');
  await expect(page.getByLabel('Since', { exact: true })).toHaveValue('2026-03-29T03:30');
  await expect(page.getByLabel('Zone: Since').locator('option:checked')).toHaveText('UTC+02:00');
  expect(problems).toEqual([]);
});

test('a job starts in the hour that its dialog says', async ({ page, open, organization: { client } }) => {
  await open('/jobs');
  await page.getByRole('button', { name: 'Enqueue' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Queue', { exact: true }).fill('emails');
  await dialog.getByLabel('Start at', { exact: true }).fill('2027-10-31T02:15');
  await dialog.getByLabel('Zone: Start at').selectOption('UTC+01:00, later');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enqueue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Job …');
  const [job] = await client.jobs.list({ queue: 'emails' });
  expect(job!.scheduledAt).toMatch(/^2027-10-31T01:15:00/);
});
