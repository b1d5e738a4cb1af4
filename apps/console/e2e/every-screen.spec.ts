import type { Page, Request } from '@playwright/test';
import { expect, type Organization, test } from './setup/fixtures.js';
import { measureShifts, movedParts, shiftOf } from './setup/layout.js';
import { readRarely } from './setup/read-rarely.js';
import { runJobs } from './setup/run-jobs.js';
import { seedSeries } from './setup/seed-series.js';

/** Every screen of an organization that has a place in the menu. */
const menu = [
  '/',
  '/queues',
  '/jobs',
  '/running',
  '/types',
  '/failures',
  '/operations',
  '/workers',
  '/workflows',
  '/batches',
  '/schedules',
  '/webhooks',
  '/webhooks/received',
  '/keys',
  '/usage',
  '/audit',
  '/organization',
];

/** The window of a usual phone. */
const phone = { width: 390, height: 844 };
/** As long as names get. */
const longName = 'warehouse.inventory-reconciliation.north-america.nightly';
const error = 'The warehouse https://warehouse.example.com/api/v2/inventory/reconciliations answered with HTTP 503';

/** More queues than a request for each may be made. */
const queues = 30;
const maxRequests = 20;
const maxShift = 0.05;

/** Things with long names. @returns the screens of one of each */
async function seed({ client }: Organization): Promise<string[]> {
  const job = { payload: { job_type: 'reconcile-the-inventory-of-a-warehouse' } };
  await client.jobs.createMany({ queueName: longName, jobs: Array<typeof job>(12).fill(job) });
  let number = 0;
  await runJobs(client, longName, 8, () => (number++ % 4 ? { result: { sent: true } } : { error }));
  for (let i = 0; i < queues; i++) await client.jobs.create({ queueName: `imports-${i}`, payload: {} });
  await client.queues.pause(longName, 'The importer of the warehouse is being upgraded by the night shift');
  const hostname = `${longName}.example.com`;
  await client.workers.register({ queueName: longName, hostname, workerId: 'w1', version: '2.4.1' });
  const schedule = { name: longName, cronExpression: '*/15 2-5 * * 1-5', queueName: longName, payloadTemplate: {} };
  const { id: scheduleId } = await client.schedules.create(schedule);
  const hook = { name: longName, url: `https://hooks.example.com/${longName}`, events: ['job.completed' as const] };
  const { id: webhookId } = await client.outgoingWebhooks.create(hook);
  const jobs = [{ key: 'charge', queueName: longName, payload: {} }];
  const { workflowId } = await client.workflows.create({ name: longName, jobs });
  const { id: batchId } = await client.batches.create({
    name: longName,
    metadata: { [longName]: longName },
    onDeath: { queueName: longName, payload: {} },
  });
  await client.batches.add(batchId, { queueName: longName, jobs: [job, job] });
  const [dead] = await client.jobs.list({ status: 'deadletter' });
  const [waiting] = await client.jobs.list({ queue: longName, status: 'pending' });
  const [group] = await client.jobs.deadLetters.groups();
  const batchAndHook = [`/batches/${batchId}`, `/webhooks/${webhookId}`];
  const ofQueue = [`/queues/${longName}`, '/workers/w1', `/schedules/${scheduleId}`, `/workflows/${workflowId}`];
  return [...ofQueue, ...batchAndHook, `/jobs/${dead!.id}`, `/jobs/${waiting!.id}`, `/failures/${group!.id}`];
}

/** Counts what the page asks the API for, and knows what has not been answered; the stream of events stays open. */
function watchRequests(page: Page) {
  const open = new Set<Request>();
  let asked = 0;
  const isApi = (request: Request) =>
    new URL(request.url()).pathname.startsWith('/api/') && request.resourceType() !== 'eventsource';
  page.on('request', (request) => {
    if (!isApi(request) || request.url().includes('/events')) return;
    asked++;
    open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const take = (): number => {
    const count = asked;
    asked = 0;
    return count;
  };
  return { isIdle: () => open.size === 0, take };
}

/**
 * Texts that are cut outside of tables, which scroll by themselves. A label that has wrapped to a line below its box, such as that of a
 * short wait in the picture of a job, is not seen at all. Runs in the page.
 */
const cutTexts = `(() => {
  const isSeenBeyond = (element) => {
    const { right, bottom } = element.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].some((part) => part.right > right + 1 && part.top < bottom - 2);
  };
  const isHidden = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width <= 1 || height <= 1;
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.closest('table, [role="table"], svg, option') === null && !isHidden(element))
    .filter((element) => {
      const { overflowX, display } = getComputedStyle(element);
      if (display === 'inline' || !['hidden', 'clip'].includes(overflowX)) return false;
      return (element.textContent ?? '').trim() !== '' && element.scrollWidth > element.clientWidth + 1 && isSeenBeyond(element);
    })
    .map((element) => element.tagName + ' ' + element.className + ': ' + element.textContent);
})()`;

/** Parts that reach beyond the window although nothing around them scrolls. Runs in the page. */
const wideParts = `(() => {
  const scrolls = (element) =>
    element !== null && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .filter((element) => getComputedStyle(element).position === 'absolute' || !scrolls(element.parentElement))
    .map((element) => element.tagName + ' ' + element.className + ': ' + element.textContent);
})()`;

/** What does not fit the window: nothing but tables may scroll sideways, and no text may be cut. */
async function misfits(page: Page): Promise<string[]> {
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  const cut = await page.evaluate<string[]>(cutTexts);
  if (width <= phone.width) return cut;
  return [...cut, `${width} pixels`, ...(await page.evaluate<string[]>(wideParts))];
}

test('BX-16 no screen moves while it loads, each needs at most 20 requests, and fits a phone', async ({
  page,
  open,
  organization,
  stack,
}, { annotations }) => {
  const things = await seed(organization);
  await seedSeries(stack, organization.id, longName, { created: 20, completed: 18, processing: 2, pending: 3 });
  await readRarely(page);
  await measureShifts(page);
  const requests = watchRequests(page);
  const wide = page.viewportSize()!;
  const found: { screen: string; shift: number; requests: number; moved: string[] }[] = [];
  for (const screen of [...menu, ...things]) {
    requests.take();
    await open(screen);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 1_000 });
      // What has been answered is drawn in the second frame, and may ask for more.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(requests.isIdle()).toBe(true);
    }).toPass();
    const shift = Math.round((await shiftOf(page)) * 1_000) / 1_000;
    found.push({ screen, shift, requests: requests.take(), moved: shift < maxShift ? [] : await movedParts(page) });
    await page.setViewportSize(phone);
    // Charts get their size a moment later.
    await expect.poll(() => misfits(page), { message: screen }).toEqual([]);
    await page.setViewportSize(wide);
  }
  const lines = found.map(({ screen, shift, requests: count }) => `${screen}: shift ${shift}, ${count} requests`);
  annotations.push({ type: 'first screens', description: lines.join('; ') });
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(found.filter(({ shift, requests: count }) => shift >= maxShift || count > maxRequests)).toEqual([]);
});
