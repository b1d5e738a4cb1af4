import { expectAccessible } from './setup/accessibility.js';
import { expect, signIn, Spooled, test } from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import { capture } from './setup/screenshots.js';
import { seedSeries } from './setup/seed-series.js';
import { runSql } from './setup/sql.js';
import { confirmTyped } from './setup/typed-act.js';

test.describe('the platform', () => {
  test.beforeEach(({ page, stack }) => signIn(page, stack.baseUrl, { admin_key: stack.adminKey }));

  test('BX-25 shows services, capacity and totals, only to the administrator, and limits an organization that makes the load', async ({
    page,
    stack,
    organization,
    problems,
  }) => {
    await seedSeries(stack, organization.id, 'emails', { created: 5_000, completed: 10, processing: 3 });
    await page.goto(`${stack.baseUrl}/console/queues`);
    await expect(page.getByRole('heading', { name: 'Platform', level: 1 })).toBeVisible();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/console/platform');
    const services = page.getByRole('table', { name: 'Services' });
    for (const name of ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime']) {
      await expect(services.getByRole('row').filter({ hasText: name })).toContainText('Runs');
    }
    await expect(page.getByText('PostgreSQL answers')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Capacity' })).toContainText('Connections of PostgreSQL');
    await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Active jobs');
    await expect(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Queues' })).toHaveCount(
      0,
    );
    await expectAccessible(page);
    await expectFitsNarrowWindow(page);

    const row = page
      .getByRole('table', { name: 'Organizations by load' })
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: organization.name, exact: true }) });
    await row.getByRole('button', { name: 'Limit…' }).click();
    const dialog = page.getByRole('dialog', { name: `Limit ${organization.name}` });
    await expect(dialog).toContainText(/Creates now[45]\d\d\/s/);
    await expect(dialog).toContainText('Now 500, of its plan');
    await dialog.getByRole('spinbutton', { name: 'Requests per second' }).fill('7');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set the limits' }).click();
    await expect(page.getByText(`The limits of ${organization.name} are changed`)).toBeVisible();
    const admin = new Spooled({ baseUrl: stack.baseUrl, adminKey: stack.adminKey }).admin;
    const { customLimits, usageInfo } = await admin.organization(organization.id);
    expect([customLimits, usageInfo.limits.rateLimitRequestsPerSecond]).toEqual([
      { rate_limit_requests_per_second: 7 },
      7,
    ]);
    await row.getByRole('link').click();
    await expect(page.getByRole('heading', { name: organization.name, level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Limit…' }).click();
    await expect(dialog).toContainText('Now 7, of its own');
    await dialog.getByRole('spinbutton', { name: 'Requests per second' }).fill('');
    await dialog.getByRole('button', { name: 'Set the limits' }).click();
    await expect(dialog).toBeHidden();
    expect((await admin.organization(organization.id)).usageInfo.limits.rateLimitRequestsPerSecond).toBe(500);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(page.getByRole('table', { name: 'Plans' }).getByRole('row')).toHaveCount(5);
    expect(problems).toEqual([]);
  });

  test('BX-25 SP-59 isolation is checked from the screen, and what is wrong is named', async ({
    page,
    stack,
    problems,
  }) => {
    await runSql(stack, 'DELETE FROM isolation_checks', []);
    await page.goto(`${stack.baseUrl}/console/platform`);
    const section = page.getByRole('region', { name: 'Isolation of tenants' });
    await expect(section).toContainText('Not checked yet');
    const checkNow = section.getByRole('button', { name: 'Check now' });
    await checkNow.click();
    await expect(section).toContainText('Passed');
    await expect(section).toContainText(/Tables checked\d\d/);
    const wrong = section.getByRole('table', { name: 'What is wrong with the isolation of tenants' });
    // The owner of the table, whom this frees from its policies, runs no service.
    await runSql(stack, 'ALTER TABLE schedules NO FORCE ROW LEVEL SECURITY', []);
    try {
      await checkNow.click();
      await expect(section).toContainText('Failed');
      await expect(wrong.getByRole('row').filter({ hasText: 'schedules' })).toContainText('is not forced');
      await expectAccessible(page, section);
      await expectFitsNarrowWindow(page);
    } finally {
      await runSql(stack, 'ALTER TABLE schedules FORCE ROW LEVEL SECURITY', []);
    }
    await checkNow.click();
    await expect(section).toContainText('Passed');
    await expect(wrong).toHaveCount(0);
    await runSql(stack, `UPDATE isolation_checks SET tables_not_checked = '{api_keys}'`, []);
    await page.reload();
    await expect(section.getByText('Passed in part', { exact: true })).toBeVisible();
    await expect(section).toContainText('They were locked, or the time ended: api_keys');
    expect(problems).toEqual([]);
  });

  test('an organization is created; another is found, gets a plan and a key, is suspended and activated', async ({
    page,
    show,
    stack,
    organization,
    problems,
  }) => {
    await organization.client.jobs.create({ queueName: 'emails', payload: {} });
    await page.goto(`${stack.baseUrl}/console/platform/organizations`);
    const { slug } = await organization.client.organizations.get(organization.id);
    await page.getByRole('searchbox', { name: 'Name or short name' }).fill(slug);
    const rows = page.getByRole('table', { name: 'Organizations' }).getByRole('row');
    await expect(rows).toHaveCount(2);
    await expectAccessible(page);
    await capture(page, 'platform-organizations');
    await expectFitsNarrowWindow(page);
    await rows.nth(1).getByRole('link', { name: organization.name }).click();
    await page.getByRole('button', { name: 'Change plan…' }).click();
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('pro');
    await page.getByRole('button', { name: 'Change the plan' }).click();
    await expect(
      page.getByRole('table', { name: 'Usage' }).getByRole('row').filter({ hasText: 'Queues' }),
    ).toContainText('50');
    await expectAccessible(page);
    await capture(page, 'platform-organization');
    await expectFitsNarrowWindow(page);
    await page.getByRole('button', { name: 'Suspend…' }).click();
    await confirmTyped(page, slug, 'Suspend the organization');
    await expect(page.getByText('This organization is suspended')).toBeVisible();
    await expect(organization.client.jobs.list()).rejects.toMatchObject({ status: 401 });
    await page.getByRole('button', { name: 'Activate…' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'New key…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('After suspension');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const apiKey = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey });
    expect(await client.jobs.list()).toHaveLength(1);

    await show('/platform/organizations');
    await page.getByRole('button', { name: 'Create an organization' }).click();
    const made = `made-${process.pid}`;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Made in the console');
    await page.getByRole('textbox', { name: 'Short name' }).fill(made);
    await page.getByRole('button', { name: 'Create the organization' }).click();
    const firstKey = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    const [own] = await new Spooled({ baseUrl: stack.baseUrl, apiKey: firstKey }).organizations.list();
    expect(own).toMatchObject({ slug: made, planTier: 'free' });
    await show(`/platform/audit?organizationId=${own!.id}`);
    const entries = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await expect(entries.filter({ hasText: 'Created the organization' })).toContainText('Administrator');
    expect(problems).toEqual([]);
  });

  test('is not for sessions of an organization', async ({ page, open }) => {
    await open('/platform/organizations');
    await expect(page.getByRole('navigation', { name: 'Screens' })).toContainText('Queues');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
  });
});
