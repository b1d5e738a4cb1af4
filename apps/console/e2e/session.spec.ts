import type { Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import { expect, type Organization, signIn, test } from './setup/fixtures.js';
import { runJobs } from './setup/run-jobs.js';
import { capture } from './setup/screenshots.js';

/** The path of a new login link. */
async function newLink(page: Page, baseUrl: string, key: string): Promise<string> {
  const response = await page.request.post(`${baseUrl}/api/v1/console/login-links`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { path } = (await response.json()) as { path: string };
  return path;
}

/** One of each thing with acts of its own: a dead letter, a webhook, a batch and an operation that can be undone. */
async function seedForViewer({ client }: Organization) {
  await client.jobs.create({ queueName: 'emails', payload: {} });
  await runJobs(client, 'emails', 1, () => ({ error: 'No such mailbox' }));
  const { id: job } = await client.jobs.create({ queueName: 'emails', payload: {} });
  const hook = { name: 'Billing', url: 'https://example.com', events: ['queue.paused' as const] };
  const { id: webhook } = await client.outgoingWebhooks.create(hook);
  const { id: batch } = await client.batches.create({ name: 'Imports' });
  const { id: operation } = await client.jobs.deadLetters.purgeAll({ all: true, holdSeconds: 600 });
  return { job, webhook, batch, operation };
}

test.describe('a session', () => {
  test('begins with a key, which stays nowhere in the browser, and leads to the page that was asked for', async ({
    page,
    stack,
    organization,
  }) => {
    await page.goto(`${stack.baseUrl}/console/jobs?status=failed`);
    await expect(page.getByRole('heading', { name: 'Sign in to Spooled' })).toBeVisible();
    await expectAccessible(page);
    await capture(page, 'login');
    const key = page.getByLabel('API key', { exact: true });
    await key.fill('sk_test_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText('Sign-in failed');
    await key.fill(organization.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
    await expect
      .poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
      .toBe('/console/jobs?status=failed');
    await expect(page.getByRole('checkbox', { name: 'Failed' })).toBeChecked();
    const kept = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain(organization.key);
    expect(JSON.parse(String(kept))[0]).toBe('');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  });

  test('begins with a one-time link, whose code leaves the address and works once', async ({
    page,
    stack,
    organization,
    browser,
  }) => {
    const path = await newLink(page, stack.baseUrl, organization.key);
    await page.goto(stack.baseUrl + path);
    await expect(page.getByRole('heading', { name: `Sign in to ${organization.name}?` })).toBeVisible();
    await expectAccessible(page);
    await capture(page, 'login-link');
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['spooled_login']);
    await page.getByRole('button', { name: `Sign in to ${organization.name}` }).click();
    await expect(page.getByRole('navigation', { name: 'Screens' })).toContainText(organization.name);
    await expect.poll(() => page.url()).not.toContain('code');
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('code');
    const other = await browser.newPage();
    await other.goto(stack.baseUrl + path);
    await expect(other.getByRole('alert')).toContainText('Sign-in failed');
    await other.getByRole('button', { name: 'Sign in with a key' }).click();
    await expect(other.getByLabel('API key', { exact: true })).toBeVisible();
    await other.close();
  });

  test('is replaced by a link of another organization only when its user agrees', async ({
    page,
    stack,
    open,
    organization,
    newOrganization,
  }) => {
    await open('/queues');
    const menu = page.getByRole('navigation', { name: 'Screens' });
    await expect(menu).toContainText(organization.name);
    const foreign = await newOrganization();
    const openLink = async () => {
      const path = await newLink(page, stack.baseUrl, foreign.key);
      // A new document, as for a link in a message: a page that is open takes no code from its address.
      await page.goto('about:blank');
      await page.goto(stack.baseUrl + path);
      await expect(page.getByRole('heading', { name: `Sign in to ${foreign.name}?` })).toBeVisible();
      await expect(page.getByText(`You are signed in to ${organization.name}`)).toBeVisible();
    };

    await openLink();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Stay in ${organization.name}` }).click();
    await expect(menu).toContainText(organization.name);

    await openLink();
    await page.goto(`${stack.baseUrl}/console/queues`);
    await expect(menu).toContainText(organization.name);

    await openLink();
    await page.getByRole('button', { name: `Sign in to ${foreign.name}` }).click();
    await expect(menu).toContainText(foreign.name);
  });

  test('whose role becomes smaller or that ends while a page is open says so, and another sign-in returns to the page', async ({
    page,
    stack,
    organization: { client, key: otherKey },
  }) => {
    await client.jobs.create({ queueName: 'emails', payload: {} });
    const { id, key } = await client.apiKeys.create({ name: 'On call', role: 'operator' });
    await signIn(page, stack.baseUrl, { api_key: key });
    await page.goto(`${stack.baseUrl}/console/queues/emails`);
    await page.getByRole('button', { name: 'Pause…' }).click();
    await client.apiKeys.update(id, { role: 'viewer' });
    await page.getByRole('button', { name: 'Pause the queue' }).click();
    await expect(page.getByText('Your role is now: Viewer, read only')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Signed in: On call · Viewer, read only' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Pause/ })).toHaveCount(0);

    await client.apiKeys.revoke(id);
    await expect(page.getByRole('alert').filter({ hasText: 'Your session has ended' })).toBeVisible();
    await page.getByLabel('API key', { exact: true }).fill(otherKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
  });

  test('of a viewer shows no act that the server would refuse', async ({ page, openAs, show, organization }) => {
    const { job, webhook, batch, operation } = await seedForViewer(organization);
    await openAs({ name: 'On call', role: 'viewer' }, '/queues/emails');
    await expect(page.getByRole('button', { name: /Signed in: On call · Viewer, read only/ })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Settings' })).toContainText('At the first dead letter');
    await expect(page.getByRole('button', { name: /Pause|Delete|Change settings|Report failures/ })).toHaveCount(0);
    const creator = page.getByRole('table', { name: 'By creator' }).getByRole('row').nth(1);
    await expect(
      creator.getByRole('button', { name: /^Throttle… ?, not possible: it takes the role operator/ }),
    ).toBeDisabled();
    await show(`/jobs/${job}`);
    await expect(page.getByRole('group', { name: 'Payload' })).toBeVisible();
    await expect(page.getByRole('button', { name: /Cancel|Retry|Enqueue/ })).toHaveCount(0);
    await show('/failures');
    await expect(page.getByRole('link', { name: 'No such mailbox' })).toBeVisible();
    for (const act of ['Replay', 'Purge']) {
      const button = page.getByRole('button', { name: new RegExp(`^${act} all….*the role viewer may only look`) });
      await expect(button).toBeDisabled();
    }
    await show(`/webhooks/${webhook}`);
    await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
    await expect(page.getByRole('button', { name: /Disable|Test|Change|secret|Delete/ })).toHaveCount(0);
    await show('/webhooks');
    await expect(page.getByRole('link', { name: 'Billing' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add a webhook' })).toHaveCount(0);
    await show(`/operations/${operation}`);
    await expect(page.getByRole('button', { name: /^Undo.*the role viewer may only look/ })).toBeDisabled();
    await show(`/batches/${batch}`);
    await expect(page.getByText('The batch has no jobs yet')).toBeVisible();
    await expect(page.getByText('The batch was created without it')).toHaveCount(3);
    await expect(page.getByRole('button', { name: /^Cancel batch/ })).toBeDisabled();
    await expect(page.getByRole('button', { name: /^Close batch/ })).toBeDisabled();

    await openAs({ name: 'Importer', role: 'worker' }, `/batches/${batch}`);
    await expect(page.getByRole('button', { name: /^Cancel batch/ })).toBeDisabled();
    await expect(page.getByRole('button', { name: /^Close batch/ })).toBeEnabled();
  });
});

test.describe('the keyboard', () => {
  test('reaches screens, search and help without a mouse', async ({ page, open, organization: { client } }) => {
    const { id } = await client.jobs.create({ queueName: 'emails', payload: {} });
    await open('/queues');
    await expect(page.getByRole('link', { name: 'emails' })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help).toContainText('Go to Queues');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: /^Search jobs/ })).toBeFocused();
    await page.keyboard.type(id);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: `Job …${id.slice(-8)}` })).toBeVisible();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/jobs/${id}`);
  });
});
