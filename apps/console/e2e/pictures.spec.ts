import type { Page } from '@playwright/test';
import {
  createOrganization,
  expect,
  fromNow,
  type Organization,
  signIn,
  Spooled,
  startStack,
  test as base,
} from './setup/fixtures.js';
import { readRarely } from './setup/read-rarely.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';
import { seedHour } from './setup/seed-hour.js';
import type { SharedStack } from './setup/stack.js';

const isDrawn = process.env.UPDATE_SCREENSHOTS === '1';

/** Pictures of the platform show the organizations of this test alone. Otherwise nothing differs, so that no other worker has to start. */
const test = isDrawn
  ? base.extend<object, { stack: SharedStack }>({
      stack: [
        // Playwright reads the names of fixtures from the first parameter.
        // oxlint-disable-next-line no-empty-pattern
        async ({}, use) => {
          const own = await startStack();
          await use(own);
          await own.stop();
        },
        { scope: 'worker', timeout: 120_000 },
      ],
    })
  : base;

/** A picture shows as much as a busy organization has. */
const of = (count: number): number => (isDrawn ? count : Math.ceil(count / 5));
const charts = ['Rates', 'Depth', 'Waiting', 'Running'];

/** Three queues as an on-call engineer would find them: one runs, one is paused, and one has failures. */
async function seed(stack: SharedStack, { client }: Organization): Promise<void> {
  const { key } = await client.apiKeys.create({ name: 'Nightly import' });
  const mail = (type: string, number: number) => ({
    payload: { job_type: type, to: `customer-${number}@example.com`, number },
  });
  const mails = Array.from({ length: of(90) }, (_, number) => mail(number % 3 ? 'receipt' : 'welcome', number));
  await client.jobs.createMany({ queueName: 'emails', jobs: mails });
  const newsletters = Array.from({ length: of(160) }, (_, number) => mail('newsletter', number));
  const importer = new Spooled({ baseUrl: stack.baseUrl, apiKey: key });
  const half = newsletters.length / 2;
  for (const from of [0, half]) {
    await importer.jobs.createMany({ queueName: 'emails', jobs: newsletters.slice(from, from + half) });
  }
  await runJobs(client, 'emails', of(230), ({ number }) =>
    Number(number) % 40 === 7 ? { error: `Mailbox of customer ${String(number)} is full` } : { result: { sent: true } },
  );
  const orders = Array.from({ length: of(60) }, (_, number) => ({
    payload: { job_type: 'charge', country: number % 4 ? 'FR' : 'DE', number },
  }));
  await client.jobs.createMany({ queueName: 'orders', jobs: orders });
  await runJobs(
    client,
    'orders',
    orders.length,
    ({ country, number }) =>
      country === 'DE' ? { error: `Country DE is not known (order ${String(number)})` } : { result: { charged: true } },
    'worker-2',
  );
  await client.jobs.createMany({ queueName: 'reports', jobs: Array.from({ length: of(12) }, () => ({ payload: {} })) });
  await client.queues.pause('reports', 'Provider maintenance');
}

/** Each chart has lines at once, and its legend a number for each. */
async function expectDrawn(page: Page): Promise<void> {
  for (const name of charts) {
    const chart = page.getByRole('img', { name: new RegExp(`^${name}: `) });
    await expect(chart).toHaveAccessibleName(/ [1-9]/);
    await expect(chart).not.toHaveAccessibleName(/unknown|no jobs/i);
    // Sooner than the next refresh, which draws them again.
    await expect.poll(() => chart.locator('canvas').evaluate(drawnShare), { timeout: 8_000 }).toBeGreaterThan(0.5);
  }
}

/** The share of a canvas's columns that contain a colour other than grey, which only its lines have. Runs in the page. */
function drawnShare(canvas: { width: number; height: number; getContext(kind: '2d'): Pixels }): number {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const drawn = new Set<number>();
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue, alpha] = [data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!];
    const isColoured = Math.max(red, green, blue) - Math.min(red, green, blue) > 60;
    if (alpha > 200 && isColoured) drawn.add((i / 4) % width);
  }
  return drawn.size / width;
}

interface Pixels {
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
}

test('BX-16 the main screens of a busy organization have no empty part', async ({ page, show, stack }) => {
  await readRarely(page);
  const organization = await createOrganization(stack, 'Acme');
  await seed(stack, organization);
  await seedHour(stack, organization.id, [
    { name: 'emails', created: 42 },
    { name: 'orders', created: 18 },
    { name: 'reports', created: 6 },
  ]);
  await signIn(page, stack.baseUrl, { api_key: organization.key });
  const open = (path: string) => page.goto(`${stack.baseUrl}/console${path}`);

  await open('/');
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('Provider maintenance');
  await expect(page.getByRole('table', { name: 'Queues with the most jobs' })).toContainText('emails');
  await expectDrawn(page);
  await capture(page, 'now');

  await show('/queues');
  await expect(page.getByRole('table', { name: 'Queues', exact: true }).getByRole('row')).toHaveCount(4);
  await capture(page, 'queues');

  await show('/queues/emails');
  await expect(page.getByRole('table', { name: 'By creator' })).toContainText('Nightly import');
  await expectDrawn(page);
  await capture(page, 'queue');

  await show(
    `/queues/emails?at=${fromNow(-25 * 60_000)
      .toISOString()
      .replace(/\.\d+/, '')}`,
  );
  await expect(page.getByRole('region', { name: 'In the minute before' })).not.toContainText('Unknown');
  await expectDrawn(page);
  await capture(page, 'past');

  await show('/failures');
  await expect(page.getByRole('table', { name: 'Failures by cause' })).toContainText(
    'Country DE is not known (order #)',
  );
  await capture(page, 'failures');

  await show('/workers');
  await expect(page.getByRole('main')).toContainText('worker-2');
  await capture(page, 'workers');

  const another = await createOrganization(stack, 'Globex');
  await seedHour(stack, another.id, [{ name: 'imports', created: 160 }]);
  await page.context().clearCookies();
  await signIn(page, stack.baseUrl, { admin_key: stack.adminKey });
  await open('/platform');
  await expect(page.getByRole('region', { name: 'Isolation of tenants' })).toContainText('Passed');
  await expect(page.getByRole('main')).toContainText('Globex');
  await capture(page, 'platform');
});
