import type { CDPSession, Page } from '@playwright/test';
import { eventually, expect, startStack, test as base } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';
import { seedCompletedJobs } from './setup/sql.js';

type Services = Awaited<ReturnType<typeof startStack>>;

/** With services of their own, which have the settings of production. */
const test = base.extend<object, { services: Services }>({
  services: [
    // Playwright reads the names of fixtures from the first parameter.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const services = await startStack();
      await use(services);
      await services.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  stack: [async ({ services }, use) => use(services), { scope: 'worker' }],
});

/** The page was not able to react for longer than this: far more than on an idle machine, so that a busy one does not fail. */
const longestTaskMs = 2_000;
const maxHeapBytes = 200 * 1024 * 1024;

/** Prints a figure beside the result of the test. */
const report = (text: string): void => void process.stdout.write(`${text}\n`);

/** From now on, notes tasks in which the page reacts to nothing for more than 50 ms. */
const observeLongTasks = (page: Page): Promise<void> =>
  page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
  `);
const longTasks = (page: Page): Promise<number[]> => page.evaluate('window.longTasks');

test('100,000 jobs are listed page by page, with only what is in view in the document', async ({
  page,
  open,
  organization: { id },
  stack,
}) => {
  test.slow();
  await seedCompletedJobs(stack, id, 'many', 100_000);
  await open('/jobs');
  const table = page.getByRole('table', { name: 'Jobs', exact: true });
  const rows = table.getByRole('row');
  await expect(rows.nth(5)).toBeVisible();
  await observeLongTasks(page);
  // Each key press reaches the end of what is loaded by then.
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByText('3,000 shown')).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [0] });
  expect(await rows.count()).toBeLessThan(60);
  // The head stays in view.
  await expect(table.getByRole('columnheader', { name: 'Status' })).toBeInViewport();
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000);
  const tasks = await longTasks(page);
  report(`30 pages: ${tasks.length} long tasks, the longest of ${Math.round(Math.max(0, ...tasks))} ms`);
  expect(Math.max(0, ...tasks)).toBeLessThan(longestTaskMs);
  await page.keyboard.press('Home');
  await rows.nth(1).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: /^Job …/ })).toBeVisible();
});

/** Publishes this many events per second, as engines do, `batch` at once, until the signal or `most`. @returns how many they were */
async function flood(
  services: Services,
  organizationId: string,
  perSecond: number,
  { signal, most = Infinity, batch = 100 }: { signal?: AbortSignal; most?: number; batch?: number },
): Promise<number> {
  const redis = (await services.redis!.primaryOf(organizationId)).connect();
  const data = { job_id: organizationId, queue_name: 'emails', priority: 0, timestamp: new Date().toISOString() };
  const events = JSON.stringify(Array.from({ length: batch }, () => ({ type: 'JobCreated', data })));
  const begun = Date.now();
  let sent = 0;
  while (!signal?.aborted && sent < most) {
    // A timer that comes late is made up for.
    while (sent < ((Date.now() - begun) / 1000) * perSecond) {
      // A message begins with the id of its batch.
      await redis.publish(`org:${organizationId}:events`, `${Date.now()}-${sent} ${events}`);
      sent += batch;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  redis.disconnect();
  return sent;
}

async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value;
}

test('5,000 events per second leave the page usable and small, and workers undisturbed', async ({
  page,
  open,
  organization: { client, id },
  services,
  problems,
}) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await open('/jobs?follow=events');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const jobs = Array.from({ length: 100 }, () => ({ payload: {} }));
  await client.jobs.createMany({ queueName: 'work', jobs });
  await observeLongTasks(page);
  let requests = 0;
  page.on('request', (request) => (requests += request.url().includes('/api/v1/jobs?') ? 1 : 0));
  const begun = Date.now();
  const ending = new AbortController();
  const flooding = flood(services, id, 5_000, { signal: ending.signal });
  // Fails when a claim or a completion is refused.
  await runJobs(client, 'work', 100, () => ({ result: {} }));
  const leftOut = page.getByText(/[3-9]\d,\d{3} left out/);
  await expect(leftOut).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/Paused, [1-9]/)).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  ending.abort();
  const sent = await flooding;
  const seconds = (Date.now() - begun) / 1000;
  expect(requests).toBe(0);
  expect(await page.getByRole('table', { name: 'Live tail' }).getByRole('row').count()).toBeLessThan(60);
  const [heap, tasks] = [await heapBytes(devtools), await longTasks(page)];
  const busy = tasks.reduce((sum, task) => sum + task, 0) / 1000;
  report(
    `${sent} events in ${seconds.toFixed(1)} s: heap ${(heap / 1024 ** 2).toFixed(0)} MiB, ${busy.toFixed(1)} s in ` +
      `${tasks.length} long tasks, the longest of ${Math.round(Math.max(0, ...tasks))} ms`,
  );
  expect(heap).toBeLessThan(maxHeapBytes);
  expect(Math.max(0, ...tasks)).toBeLessThan(longestTaskMs);
  expect(problems).toEqual([]);
});

/** On an idle machine of two cores it takes less than a second. */
const firstPaintMs = 5_000;

test('a screen shows its data soon after it is opened', async ({ page, open, organization: { client } }) => {
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await page.addInitScript(`
    new MutationObserver((_, observer) => {
      if (!document.querySelector('a[href$="/queues/emails"]')) return;
      observer.disconnect();
      requestAnimationFrame(() => { window.usefulAt = performance.now(); });
    }).observe(document, { childList: true, subtree: true });
  `);
  await open('/queues');
  // Playwright's own way to wait evaluates text in the page, which the page's policy forbids.
  const usefulAt = await eventually(async () => {
    const at = await page.evaluate('window.usefulAt');
    if (typeof at !== 'number') throw new Error('The queue does not show yet');
    return at;
  });
  report(`first useful paint after ${Math.round(usefulAt)} ms`);
  expect(usefulAt).toBeLessThan(firstPaintMs);
});

/** Of one core. Mean of the process of the page while the events arrive. */
const maxTailShare = 0.1;

test('500 events per second in the live tail take less than a tenth of a core, however they are published', async ({
  page,
  open,
  organization: { id },
  services,
  browser,
}) => {
  test.slow();
  const devtools = await browser.newBrowserCDPSession();
  const cpuSeconds = async () => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { type, cpuTime }) => (type === 'renderer' ? sum + cpuTime : sum), 0);
  };
  await open('/jobs?follow=events');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  for (const batch of [100, 1]) {
    await page.reload();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    // Until the list is full, so that each draw removes rows as well. Nothing looks at the page meanwhile: that would take its time.
    await flood(services, id, 500, { most: 13_000, batch });
    const begin = { at: Date.now(), cpu: await cpuSeconds() };
    const events = await flood(services, id, 500, { most: 10_000, batch });
    const cpu = (await cpuSeconds()) - begin.cpu;
    const seconds = (Date.now() - begin.at) / 1000;
    await expect(page.getByText(/^500 events, \d\d,\d{3} left out/)).toBeVisible();
    report(
      `${Math.round(events / seconds)} events per second by ${batch}: ${((cpu / seconds) * 100).toFixed(1)} % of a core, ` +
        `${((cpu / events) * 1000).toFixed(3)} ms of CPU for each event`,
    );
    expect(cpu / seconds).toBeLessThan(maxTailShare);
  }
});
