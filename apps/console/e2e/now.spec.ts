import { expectAccessible } from './setup/accessibility.js';
import { eventually, expect, Spooled, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow, measureShifts, shiftOf } from './setup/layout.js';
import { runJobs } from './setup/run-jobs.js';
import { seedSeries } from './setup/seed-series.js';
import { runSql } from './setup/sql.js';

test.describe('now', () => {
  test('what was checked in part is not said to be without a problem', async ({ page, open, show, organization }) => {
    await organization.client.jobs.create({ queueName: 'emails', payload: {} });
    for (const path of ['problems', 'queues/emails/explain'])
      await page.route(`**/api/v1/${path}`, async (route) => {
        const response = await route.fetch();
        const found = (await response.json()) as object;
        const json = {
          ...found,
          problems: [],
          total: 0,
          not_checked: ['Redis is unavailable: no rate limit was read'],
        };
        await route.fulfill({ response, json });
      });
    await open('/');
    await expect(page.getByText('No problem was found in what could be checked')).toBeVisible();
    await expect(page.getByText('Jobs are processed, attempts succeed')).toHaveCount(0);
    await show('/queues/emails');
    await expect(page.getByText('Nothing that could be checked holds this queue back')).toBeVisible();
    // One may be in flight.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('BX-16 problems come first, with the action that helps, and nothing moves while they load', async ({
    page,
    open,
    organization: { client, id },
    stack,
    problems,
  }) => {
    for (const queueName of ['emails', 'invoices', 'reports']) await client.jobs.create({ queueName, payload: {} });
    await client.queues.pause('invoices', 'Wrong tax rate');
    await seedSeries(stack, id, 'emails', { created: 20, completed: 18, processing: 2 });
    await measureShifts(page);
    // The first section is answered last.
    const others = ['dashboard', 'series'].map((name) =>
      page.waitForResponse((response) => new URL(response.url()).pathname === `/api/v1/${name}`),
    );
    await page.route('**/api/v1/problems', async (route) => {
      await Promise.all(others);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await route.continue();
    });
    await open('/');
    const list = page.getByRole('region', { name: 'Problems' });
    await expect(list).toContainText('Wrong tax rate');
    await expect(page.getByRole('img', { name: /^Rates: Created/ })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Queues with the most jobs' })).toContainText('emails');
    await expect(page.getByRole('img', { name: /^Pending jobs of emails/ })).toBeVisible();
    // Web Vitals call up to 0.1 good.
    expect(await shiftOf(page)).toBeLessThan(0.05);

    await expect(page.getByRole('region', { name: 'Numbers' })).toContainText('Healthy');
    await expectAccessible(page);
    await list.getByRole('button', { name: 'Resume' }).click();
    await expect(list).not.toContainText('Wrong tax rate');
    expect((await client.queues.explain('invoices')).problems.map(({ code }) => code)).not.toContain('queue_paused');
    expect(problems).toEqual([]);
  });

  test('BX-25 queues with one cause are one problem, which names the worst and how many more there are', async ({
    page,
    open,
    organization: { client, id },
    stack,
    problems,
  }) => {
    await runSql(
      stack,
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
       SELECT uuidv7(), $1, now() - interval '2 days', 'ready', 0, 3, 'stopped-' || lpad(i::text, 2, '0')
       FROM generate_series(1, 60) AS i, generate_series(1, 1 + (i = 7)::int) AS jobs`,
      [id],
    );
    await open('/');
    const list = page.getByRole('region', { name: 'Problems' });
    await expect(list).toContainText('Critical: 50 queues have no workers · 51 jobs');
    await expect(list.getByRole('listitem')).toContainText([
      /^stopped-07: 2 jobs$/,
      ...Array(4).fill(/: 1 job$/),
      'and 45 more',
      '10 more queues may have one and were not examined.',
    ]);
    await expect(list).toContainText('It explains: Jobs wait long (50)');
    expect((await client.monitoring.problems()).unexamined.queues).toBe(10);
    await expectAccessible(page, list);
    // On a phone, the text wraps beside the action.
    await page.setViewportSize({ width: 320, height: 800 });
    const title = await list.getByText('50 queues have no workers').boundingBox();
    const action = await list.getByRole('link', { name: 'Start workers' }).boundingBox();
    expect(title!.x + title!.width).toBeLessThanOrEqual(action!.x);
    await list.getByRole('link', { name: '10 more queues' }).click();
    await expect(page.getByRole('heading', { name: 'Queues', level: 1 })).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('BX-25 a new cause of failures names its job types, and opens their dead letters', async ({
    page,
    open,
    organization: { client },
    problems,
  }) => {
    const jobs = Array.from({ length: 12 }, (_, number) => ({
      payload: { job_type: number < 6 ? 'charge' : 'refund', number },
    }));
    await client.jobs.createMany({ queueName: 'orders', jobs });
    await runJobs(client, 'orders', 12, ({ number }) => ({ error: `Country of order ${String(number)} is not known` }));
    await open('/');
    const list = page.getByRole('region', { name: 'Problems' });
    await expect(list).toContainText('Warning: New cause of failures: Country of order # is not known · 12 jobs');
    await expect(list).toContainText('It explains: Jobs fail (1)');
    await expect(list.getByRole('listitem')).toHaveText(['orders (charge): 6 jobs', 'orders (refund): 6 jobs']);
    await list.getByRole('link', { name: 'orders (refund)' }).click();
    await expect(page.getByRole('heading', { name: 'refund fails' })).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('BX-25 charts mark deploys, pauses and operations, and a part of them is chosen with mouse or keyboard', async ({
    page,
    open,
    organization: { client, id },
    stack,
    problems,
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    const step = { created: 20, completed: 0, processing: 0, pending: 9, oldestMs: 2_000_000 };
    await seedSeries(stack, id, 'emails', step);
    await client.workers.register({ queueName: 'emails', hostname: 'one', version: '2.4.0' });
    await client.queues.pause('emails', 'Maintenance');
    const operation = await client.operations.cancelJobs({ queueName: 'emails' });
    await client.operations.finished(operation.id);
    await open('/queues/emails');
    // No mark of an axis is cut, so that none reads as another value.
    const waiting = page.getByRole('img', { name: /^Waiting: Oldest ready job 33 min 20 s/ });
    await expect.poll(() => waiting.locator('canvas').evaluate(hasInk, 30)).toBe(true);
    expect(await waiting.locator('canvas').evaluate(hasInk, 1)).toBe(false);
    const marks = page.getByText('Deploys, pauses and operations: 3');
    await expect(marks).toBeVisible();
    await marks.click();
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('time') });
    await expect(rows.filter({ hasText: 'Cancel jobs of emails' })).toHaveCount(1);
    await expect(rows.filter({ hasText: 'emails paused' })).toHaveCount(1);
    await expect(rows.filter({ hasText: 'Version 2.4.0 registered for the first time' })).toHaveCount(1);
    await expectAccessible(page, page.locator('details', { has: marks }));
    await expectFitsNarrowWindow(page);
    const part = page.getByRole('group', { name: 'Part of the period' });
    await expect(part.getByRole('button', { name: 'Whole period' })).toBeDisabled();
    const plot = page.getByRole('img', { name: /^Depth/ }).locator('.u-over');
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await plot.boundingBox())!;
    await page.mouse.move(x + width * 0.2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await expect(part.getByLabel('From')).not.toHaveValue('');
    await expect(page.getByText('Deploys, pauses and operations: 0')).toBeVisible();
    // Who follows the link sees the same part.
    const from = await part.getByLabel('From').inputValue();
    await page.reload();
    await expect(part.getByLabel('From')).toHaveValue(from);
    await expect(page.getByText('Deploys, pauses and operations: 0')).toBeVisible();
    await part.getByRole('button', { name: 'Whole period' }).click();
    await expect(marks).toBeVisible();
    // Without a mouse.
    const time = (minutes: number) =>
      new Date(Date.parse(operation.createdAt) + minutes * 60_000).toISOString().slice(0, 16);
    await part.getByLabel('From').fill(time(1));
    await part.getByLabel('To').fill(time(-2));
    await expect(part.getByText('From must be before To.')).toBeVisible();
    await part.getByLabel('From').fill(time(-3));
    await part.getByLabel('To').fill(time(2));
    await expect(marks).toBeVisible();
    await part.getByRole('link', { name: 'Jobs created then' }).click();
    await expect(page.getByRole('table', { name: 'Jobs' }).getByRole('row')).toHaveCount(2);
    await expect(page.getByLabel('Created after')).toHaveValue(time(-3));
    await page.goBack();
    await expect(part.getByLabel('To')).toHaveValue(time(2));
    // A link of the hour that is opened hours later.
    const hours = (count: number) => new Date(Date.parse(operation.createdAt) - count * 3_600_000).toISOString();
    await open(`/queues/emails?from=${hours(4)}&to=${hours(3)}`);
    await expect(page.getByRole('radio', { name: 'Last day' })).toBeChecked();
    await expect(part.getByLabel('To')).toHaveValue(hours(3).slice(0, 16));
    await page.getByRole('radio', { name: 'Last hour' }).click();
    await expect(part.getByLabel('To')).toHaveValue('');
    await expect(marks).toBeVisible();
    expect(problems).toEqual([]);
  });

  test('charts show what came, waits and ran, and tables who floods a queue', async ({
    page,
    open,
    organization,
    stack: { baseUrl },
  }) => {
    const { client } = organization;
    // One job stays: a sample has no row, and drops what was measured, of a queue that was idle since the sample before.
    await client.jobs.createMany({ queueName: 'reports', jobs: Array.from({ length: 4 }, () => ({ payload: {} })) });
    await runJobs(client, 'reports', 3, () => ({ result: 'printed' }));
    const { key } = await client.apiKeys.create({ name: 'Nightly import' });
    const flood = Array.from({ length: 18 }, () => ({ payload: { job_type: 'newsletter' } }));
    await new Spooled({ baseUrl, apiKey: key }).jobs.createMany({ queueName: 'emails', jobs: flood });
    await client.jobs.createMany({ queueName: 'emails', jobs: [{ payload: {} }, { payload: {} }] });
    await open('/queues/emails');
    // The one test that waits for a sample, which the scheduler takes at each full ten seconds.
    await expect(page.getByRole('img', { name: /^Depth: Pending 20/ })).toBeVisible();
    await page.getByRole('radio', { name: 'Last day' }).click();
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('A week ago');
    // Nothing is kept of that week.
    await expect(page.getByRole('img', { name: /^Rates: .*, Completed, a week ago unknown$/ })).toBeVisible();
    await expect.poll(() => new URL(page.url()).search).toBe('?period=day&compare=week');
    const first = (table: string) => page.getByRole('table', { name: table }).getByRole('row').nth(1);
    await expect(first('By creator')).toContainText('Nightly import');
    await expect(first('By creator')).toContainText('90 %');
    await expect(first('By type')).toContainText('newsletter');
    await expectAccessible(page);
    await page.goto('about:blank');
    // What the engine has measured of the other queue reaches the same charts, with the sample after that.
    const measured = async () => {
      const { points } = await client.monitoring.series({ queue: 'reports' });
      expect(points.reduce((jobs, { runMs }) => jobs + (runMs?.jobs ?? 0), 0)).toBe(3);
    };
    await eventually(measured, { timeoutMs: 60_000, everyMs: 500 });
  });
});

/** Whether something is drawn in the first columns of a canvas, where the marks of its axis are. Runs in the page. */
function hasInk(canvas: Drawn, columns: number): boolean {
  const { data } = canvas.getContext('2d').getImageData(0, 0, columns, canvas.height);
  return data.some((value, i) => i % 4 === 3 && value > 0);
}

interface Drawn {
  height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
  };
}
