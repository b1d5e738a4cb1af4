import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from './setup/accessibility.js';
import {
  createOrganization,
  expect,
  openIdEnv,
  type Organization,
  startStack,
  test,
  TestOpenIdProvider,
} from './setup/fixtures.js';
import { expectFitsNarrowWindow } from './setup/layout.js';
import type { TestOpenIdProvider as Provider } from './setup/stack.js';

interface People {
  provider: Provider;
  /** Of the groups `sre` (operator) and `readers` (viewer). */
  team: Organization;
  /** A second one of the group `sre` (viewer). */
  other: Organization;
  /** Address of a gateway whose people sign in at the provider. */
  console: string;
}

const alice = { sub: 'alice-1', name: 'Alice Example', groups: ['sre'] };
const bob = { sub: 'bob-1', name: 'Bob Example', groups: ['readers'] };

let people: People;
let stop: () => Promise<void>;

// A gateway of its own beside the shared services, and a provider that is another site to the browser. Not a fixture of the worker: with one
// Playwright would start another worker and another browser.
test.beforeAll(async ({ stack: shared }) => {
  const team = await createOrganization(shared, `People ${process.pid}`);
  const other = await createOrganization(shared, `Others ${process.pid}`);
  for (const { client } of [team, other]) await client.jobs.create({ queueName: 'emails', payload: {} });
  const provider = await TestOpenIdProvider.start(0, 'localhost');
  const groups = `sre=${team.id}:operator; readers=${team.id}:viewer; sre=${other.id}:viewer`;
  const gateway = await startStack({
    database: { ...shared.databaseUrls, drop: () => Promise.resolve() },
    ...{ redis: 'none', schedulers: 0, webhooks: 0 },
    env: {
      CONSOLE_REFRESH_MS: '4000',
      RATE_LIMIT_CONSOLE_PER_SECOND: '1000',
      OIDC_NAME: 'Example ID',
      OIDC_TIMEOUT_SECS: '30',
    },
    envOf: (_system, _service, _index, baseUrl) => {
      provider.redirectUrl = `${baseUrl}/console/login`;
      return openIdEnv(provider.issuer, groups, provider.redirectUrl);
    },
  });
  stop = async () => {
    await gateway.stop();
    await provider.close();
  };
  people = { provider, team, other, console: `${gateway.baseUrl}/console` };
});

test.afterAll(() => stop());

test.beforeEach(() => {
  people.provider.reset();
  people.provider.person = alice;
});

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Example ID' });
const account = (page: Page, who: string) => page.getByRole('button', { name: `Signed in: ${who}` });
const refusal = (page: Page) => page.getByRole('alert').filter({ hasText: 'Sign-in failed' });

async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await button(page).click();
}

/** Goes to the provider and back. @returns the address with which it sent the browser back, which the page cannot use */
async function callbackOf(page: Page, address: string): Promise<URL> {
  const sent = Promise.withResolvers<string>();
  await page.route('**/api/v1/console/session', (route) => {
    const { callback } = (route.request().postDataJSON() ?? {}) as { callback?: string };
    if (callback === undefined) return route.fallback();
    sent.resolve(callback);
    return route.abort();
  });
  await signIn(page, address);
  const callback = await sent.promise;
  await page.unroute('**/api/v1/console/session');
  return new URL(`?${callback}`, page.url());
}

async function inAnotherBrowser(context: BrowserContext, act: (page: Page) => Promise<void>): Promise<void> {
  const other = await context.browser()!.newContext();
  try {
    await act(await other.newPage());
  } finally {
    await other.close();
  }
}

test('BX-24 a person signs in at the provider, returns to the page, has the role of the group, and signs out', async ({
  page,
}) => {
  const { console } = people;
  await page.goto(`${console}/queues/emails`);
  await expect(button(page)).toBeVisible();
  await expectAccessible(page);
  await expectFitsNarrowWindow(page);
  await button(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
  await expect(account(page, 'Alice Example · Operator')).toBeVisible();
  await expect(page.getByRole('button', { name: /Pause/ })).toBeEnabled();
  // Neither the code nor the state stays in the address or in the history.
  expect(page.url()).toBe(`${console}/queues/emails`);
  await account(page, 'Alice Example · Operator').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(button(page)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'emails' })).toHaveCount(0);
});

test('BX-24 a person of a group of readers may only look', async ({ page }) => {
  const { console, provider } = people;
  provider.person = bob;
  await signIn(page, `${console}/login?next=/queues/emails`);
  await expect(account(page, 'Bob Example · Viewer, read only')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Pause|Delete|Change settings/ })).toHaveCount(0);
  const refused = await page.evaluate(async () => {
    const headers = { 'x-spooled-console': '1', 'content-type': 'application/json' };
    return (await fetch('/api/v1/queues/emails/pause', { method: 'POST', headers, body: '{}' })).status;
  });
  expect(refused).toBe(403);
});

test('BX-24 a person of two organizations stays in the chosen one when the session ends', async ({ page }) => {
  const { console, other } = people;
  await signIn(page, `${console}/login?organization=${other.id}&next=/queues/emails`);
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await expect(menu).toContainText(other.name);
  await page.context().clearCookies({ name: 'spooled_console' });
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await button(page).click();
  await expect(page.getByRole('heading', { name: 'emails' })).toBeVisible();
  await expect(menu).toContainText(other.name);
});

test('BX-24 a person of two organizations switches to the other one', async ({ page }) => {
  const { console, team, other } = people;
  await signIn(page, `${console}/login?next=/queues/emails`);
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await expect(menu).toContainText(team.name);
  await account(page, 'Alice Example · Operator').click();
  await page.getByRole('menuitem', { name: `Switch to ${other.name}` }).click();
  await expect(menu).toContainText(other.name);
  await expect.poll(() => new URL(page.url()).pathname).toBe('/console/');
  await account(page, 'Alice Example · Viewer, read only').click();
  await expect(page.getByRole('menuitem', { name: `Switch to ${team.name}` })).toBeVisible();
});

test('BX-24 a person without a group reads why', async ({ page }) => {
  const { console, provider } = people;
  provider.person = { ...alice, groups: ['sales'] };
  await signIn(page, `${console}/login`);
  await expect(refusal(page)).toContainText('None of your groups may sign in here');
  await expectAccessible(page);
  await expectFitsNarrowWindow(page);
  provider.person = alice;
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await button(page).click();
  await expect(account(page, 'Alice Example · Operator')).toBeVisible();
});

test('BX-24 a person whose provider is down reads which one, and signs in when it is back', async ({ page }) => {
  const { console, provider } = people;
  const callback = await callbackOf(page, `${console}/login`);
  provider.isDown = true;
  await page.goto(callback.href);
  await expect(refusal(page)).toContainText(`The OpenID Connect provider ${new URL(provider.issuer).host}`);
  provider.reset();
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await button(page).click();
  await expect(account(page, 'Alice Example · Operator')).toBeVisible();
});

test('BX-24 a sign-in ends only in the browser that began it, with its own state, nonce and verifier', async ({
  page,
  context,
}) => {
  const { console, provider } = people;
  const callback = await callbackOf(page, `${console}/login`);
  const changed = new URL(callback);
  changed.searchParams.set('state', 'another');
  await page.goto(changed.href);
  await expect(refusal(page)).toContainText('The provider did not confirm this sign-in');
  await inAnotherBrowser(context, async (thief) => {
    await thief.goto(callback.href);
    await expect(refusal(thief)).toContainText('This browser has not begun this sign-in');
    // With a sign-in of its own: its state, and so its verifier, do not fit the code.
    const own = await callbackOf(thief, `${console}/login`);
    own.searchParams.set('code', callback.searchParams.get('code')!);
    await thief.goto(own.href);
    await expect(refusal(thief)).toContainText('The provider did not confirm this sign-in');
    await thief.goto(`${console}/queues`);
    await expect(button(thief)).toBeVisible();
  });
  provider.forge = (claims) => ({ ...claims, nonce: 'another' });
  await signIn(page, `${console}/login`);
  await expect(refusal(page)).toContainText('The provider did not confirm this sign-in');
  await page.goto(`${console}/queues`);
  await expect(button(page)).toBeVisible();
});

// All forms of such addresses: next-page.spec.ts.
test('BX-24 a sign-in leads to no other site', async ({ page }) => {
  const { console } = people;
  await signIn(page, `${console}/login?next=${encodeURIComponent('//evil.example/')}`);
  await expect(account(page, 'Alice Example · Operator')).toBeVisible();
  expect(new URL(page.url()).origin).toBe(new URL(console).origin);
});
