import { expect, type Organization, test } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';

/** The window of a usual phone. */
const phone = { width: 390, height: 844 };
const longName = 'warehouse.inventory-reconciliation.north-america.nightly';

/** Every screen of an organization, with names as long as they get. */
async function seed({ client }: Organization): Promise<string[]> {
  const error = 'The warehouse https://warehouse.example.com/api/v2/inventory/reconciliations answered with HTTP 503';
  const job = { payload: { job_type: 'reconcile-the-inventory-of-a-warehouse' } };
  await client.workers.register({
    queueName: longName,
    hostname: `${longName}.example.com`,
    workerId: 'w1',
    version: '2.4.1',
  });
  await client.jobs.createMany({ queueName: longName, jobs: [job, job, job] });
  await runJobs(client, longName, 2, () => ({ error }));
  await client.queues.pause(longName, 'The importer of the warehouse is being upgraded by the night shift');
  const [dead] = await client.jobs.list({ status: 'deadletter' });
  const schedule = { name: longName, cronExpression: '*/15 2-5 * * 1-5', queueName: longName, payloadTemplate: {} };
  const { id: scheduleId } = await client.schedules.create(schedule);
  const url = `https://hooks.example.com/${longName}`;
  const webhook = await client.outgoingWebhooks.create({ name: longName, url, events: ['job.completed'] });
  const { workflowId } = await client.workflows.create({
    name: longName,
    jobs: [{ key: 'charge', queueName: longName, payload: {} }],
  });
  const { id: batchId } = await client.batches.create({
    name: longName,
    metadata: { [longName]: longName },
    onDeath: { queueName: longName, payload: {} },
  });
  await client.batches.add(batchId, { queueName: longName, jobs: [job, job] });
  const [group] = await client.jobs.deadLetters.groups();
  return [
    ...['/queues', '/', `/queues/${longName}`, '/jobs', `/jobs/${dead!.id}`, '/running', '/types', '/failures'],
    ...[`/failures/${group!.id}`, '/operations', '/workers', '/workers/w1', '/workflows', `/workflows/${workflowId}`],
    ...[
      '/batches',
      `/batches/${batchId}`,
      '/schedules',
      `/schedules/${scheduleId}`,
      '/webhooks',
      `/webhooks/${webhook.id}`,
      '/webhooks/received',
    ],
    ...['/keys', '/usage', '/audit', '/organization'],
  ];
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

/** Leads to another screen without loading the page again, as a link does. Runs in the page. */
const show = (screen: string) => `(() => {
  document.querySelector('main h1').dataset.before = '';
  history.pushState(null, '', '/console${screen}');
})()`;

test('BX-16 every screen fits a phone: nothing scrolls sideways but tables, and no text is cut', async ({
  page,
  open,
  organization,
}) => {
  const screens = await seed(organization);
  await page.setViewportSize(phone);
  const heading = page.getByRole('main').getByRole('heading', { level: 1 });
  const found: object[] = [];
  await open('/');
  for (const screen of screens) {
    await expect(heading).toBeVisible();
    await page.evaluate(show(screen));
    await expect(heading.and(page.locator(':not([data-before])'))).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    // Charts get their size a moment later.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const width = await page.evaluate('document.documentElement.scrollWidth');
    const cut = await page.evaluate<string[]>(cutTexts);
    if (Number(width) > phone.width || cut.length > 0)
      found.push({ screen, width, cut, wide: await page.evaluate<string[]>(wideParts) });
  }
  expect(found).toEqual([]);
});
