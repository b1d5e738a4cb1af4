import type { Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import { expect, signIn, test } from './setup/fixtures.js';

/** From now on files of the console are 404, as of another release, and counted. */
async function loseFiles(page: Page, files: string) {
  const path = `**/console/assets/${files}`;
  let asked = 0;
  await page.route(path, (route) => {
    asked++;
    return route.fulfill({ status: 404, json: { code: 'NOT_FOUND' } });
  });
  return { asked: () => asked, restore: () => page.unroute(path) };
}

test.describe('BX-16 during an update of the servers', () => {
  // The pauses between reloads pass at once.
  test.beforeEach(({ page }) => page.clock.install());

  test('a page whose first script is of another release says so and loads itself again', async ({
    page,
    open,
    organization,
  }) => {
    const { asked, restore } = await loseFiles(page, 'index-*.js');
    await open('/queues');
    // It loads itself once without a pause.
    await expect.poll(asked).toBe(2);
    await expect(page.getByRole('heading', { name: 'The console could not be loaded' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('A file of it did not arrive');
    await expectAccessible(page);
    await restore();
    await page.clock.fastForward(10_000);
    await expect(page.getByRole('navigation', { name: 'Screens' })).toContainText(organization.name);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/console/queues');
  });

  test('a page whose style sheet is missing loads itself again', async ({ page, open, organization }) => {
    const lost: string[] = [];
    await page.route('**/console/assets/index-*.css', async (route) => {
      if (lost.push(route.request().url()) > 1) return route.continue();
      await route.fulfill({ status: 404, json: {} });
    });
    await open('/queues');
    await expect(page.getByRole('navigation', { name: 'Screens' })).toContainText(organization.name);
    await expect.poll(() => lost.length).toBe(2);
  });

  test('a screen whose file is gone is shown after the page has loaded itself again', async ({ page, open }) => {
    await open('/queues');
    await expect(page.getByRole('heading', { name: 'Queues', level: 1 })).toBeVisible();
    const { restore } = await loseFiles(page, 'schedules-screen-*.js');
    await page.getByRole('link', { name: 'Schedules' }).click();
    await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible();
    await restore();
    await page.clock.fastForward(10_000);
    await expect(page.getByRole('heading', { name: 'Schedules', level: 1 })).toBeVisible();
  });

  test('a screen that is opened while no server answers appears when one does', async ({ page, open, stack }) => {
    await open('/queues');
    await expect(page.getByRole('heading', { name: 'Queues', level: 1 })).toBeVisible();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Schedules' }).click();
    await expect(page.getByRole('heading', { name: 'This screen could not be loaded' })).toBeVisible();
    await page.clock.fastForward(30_000);
    // Not the browser's page.
    await expect(page.getByRole('alert').filter({ hasText: 'A file of it did not arrive' })).toBeVisible();
    expect(page.url()).toBe(`${stack.baseUrl}/console/schedules`);
    await page.context().setOffline(false);
    await page.clock.fastForward(10_000);
    await expect(page.getByRole('heading', { name: 'Schedules', level: 1 })).toBeVisible();
  });
});

test('a page that is opened while PostgreSQL is away appears when it is back', async ({
  page,
  stack,
  organization,
}) => {
  await page.clock.install();
  await signIn(page, stack.baseUrl, { api_key: organization.key });
  const session = '**/api/v1/console/session';
  await page.route(session, (route) =>
    route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: 'PostgreSQL is unavailable' } }),
  );
  await page.goto(`${stack.baseUrl}/console/queues`);
  await page.clock.runFor(1_000);
  await expect(page.getByRole('alert')).toContainText('PostgreSQL is unavailable');
  await page.unroute(session);
  await page.clock.fastForward(5_000);
  await expect(page.getByRole('heading', { name: 'Queues', level: 1 })).toBeVisible();
});
