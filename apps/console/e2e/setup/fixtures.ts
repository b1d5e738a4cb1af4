import { type Page, test as base } from '@playwright/test';
import type * as Library from './stack.js';

const library = (await import(process.env.SPOOLED_CONSOLE_STACK!)) as typeof Library;
export const {
  defaultTimeouts,
  eventually,
  fromNow,
  msUntil,
  openIdEnv,
  Receiver,
  Spooled,
  startPausableDatabase,
  startStack,
  TestOpenIdProvider,
} = library;

export interface Organization {
  id: string;
  name: string;
  key: string;
  /** The SDK with the organization's key. */
  client: Library.Spooled;
}

interface TestFixtures {
  /** A new organization for each test. */
  organization: Organization;
  newOrganization(): Promise<Organization>;
  /** Opens a path of the console, signed in with the organization's key. */
  open(path: string): Promise<void>;
  /** Leads from there to another path as a link does: the page is not loaded again, which takes most of the processor time of a screen. */
  show(path: string): Promise<void>;
  /** The same with a new key of the organization. */
  openAs(apiKey: Parameters<Library.Spooled['apiKeys']['create']>[0], path: string): Promise<void>;
  /** Messages of the page's console and of failed requests that no test expects. */
  problems: string[];
}

interface WorkerFixtures {
  /** The services that all tests share, so that none may stop them. */
  stack: Library.SharedStack;
}

let count = 0;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  stack: [
    // Playwright reads the names of fixtures from the first parameter.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => use(JSON.parse(process.env.SPOOLED_CONSOLE_SHARED_STACK!) as Library.SharedStack),
    { scope: 'worker' },
  ],

  newOrganization: async ({ stack }, use) => use(() => createOrganization(stack)),
  organization: async ({ newOrganization }, use) => use(await newOrganization()),

  problems: async ({ page }, use) => {
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await use(problems);
  },

  open: async ({ page, stack, organization }, use) => {
    await signIn(page, stack.baseUrl, { api_key: organization.key });
    await use(async (path) => void (await page.goto(`${stack.baseUrl}/console${path}`)));
  },

  show: async ({ page }, use) =>
    use((path) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`)),

  openAs: async ({ page, stack, organization: { client } }, use) =>
    use(async (apiKey, path) => {
      const { key } = await client.apiKeys.create(apiKey);
      await signIn(page, stack.baseUrl, { api_key: key });
      await page.goto(`${stack.baseUrl}/console${path}`);
    }),
});

/** @param stack another one than the tests share, for faults of its own */
export async function createOrganization(
  { baseUrl, adminKey }: Library.SharedStack,
  name = `Console ${process.pid}-${++count}`,
): Promise<Organization> {
  const admin = new library.Spooled({ baseUrl, adminKey }).admin;
  const slug = `${name.toLowerCase().replaceAll(' ', '-')}-${process.pid}`;
  const { organization, apiKey } = await admin.createOrganization({ name, slug, planTier: 'enterprise' });
  const client = new library.Spooled({ baseUrl, apiKey: apiKey.key });
  return { id: organization.id, name, key: apiKey.key, client };
}

/** Gives the browser a session of the organization, as its sign-in page does. */
export async function signIn(page: Page, baseUrl: string, credential: object): Promise<void> {
  const response = await page.request.post(`${baseUrl}/api/v1/console/session`, {
    headers: { 'x-spooled-console': '1' },
    data: credential,
  });
  if (!response.ok()) throw new Error(`Signing in failed: ${response.status()} ${await response.text()}`);
}

/** The same while a page is open. It is left before, because its reads would be refused while the session is replaced. */
export async function replaceSession(page: Page, baseUrl: string, credential: object): Promise<void> {
  await page.goto('about:blank');
  await signIn(page, baseUrl, credential);
}

export { expect } from '@playwright/test';
