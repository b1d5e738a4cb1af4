import { randomUUID } from 'node:crypto';
import { CredentialFeed, Database } from '@spooled/data-access';
import { createTenant, createTestDatabase, type TestDatabase } from '@spooled/testing';
import type { Revocation } from '@spooled/transport';
import { RevokedSessions } from './revoked-sessions.js';

let stores: TestDatabase;
let organizationId: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  stores = await createTestDatabase();
  ({ organizationId } = await createTenant(stores.superuserUrl));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => stores?.drop());

/** As a process of its own would have it; its feed looks when told to. */
function openProcess(shared: ConstructorParameters<typeof RevokedSessions>[2] = null, appUrl = stores.appUrl) {
  const database = new Database({
    appUrl,
    systemUrl: appUrl === stores.appUrl ? stores.systemUrl : appUrl,
    applicationName: 'spec',
    maxConnections: 2,
    minConnections: 0,
    acquireTimeoutMs: 2_000,
    onError: () => undefined,
  });
  closing.push(() => database.close());
  const feed = new CredentialFeed(database);
  return { feed, sessions: new RevokedSessions(database, feed, shared) };
}

const session = () => ({ tokenId: randomUUID() as string, sessionId: randomUUID() as string });
const revocationOf = ({ tokenId, sessionId }: { tokenId: string; sessionId: string }): Revocation => ({
  organizationId,
  sessionId,
  sessionSeconds: 600,
  tokens: [{ tokenId, seconds: 60 }],
});
const nowhere = 'postgresql://spooled_app@127.0.0.1:1/none';

describe('SP-75 revoked sessions', () => {
  it('are known to processes that start later, with all their tokens, and to others by the feed', async () => {
    const [one, two] = [openProcess(), openProcess()];
    const [mine, other] = [session(), session()];
    await two.feed.poll();
    for (const { sessions } of [one, two]) expect(await sessions.isRevoked(organizationId, mine)).toBe(false);
    await one.sessions.revoke(revocationOf(mine));
    await one.sessions.revoke(revocationOf(mine));
    expect(await one.sessions.isRevoked(organizationId, mine)).toBe(true);
    expect(await two.sessions.isRevoked(organizationId, mine)).toBe(false);
    await two.feed.poll();
    expect(await two.sessions.isRevoked(organizationId, mine)).toBe(true);
    const later = openProcess();
    const sibling = { tokenId: randomUUID() as string, sessionId: mine.sessionId };
    expect(await later.sessions.isRevoked(organizationId, sibling)).toBe(true);
    expect(await later.sessions.isRevoked(organizationId, other)).toBe(false);
  });

  it('of another organization are not ended by it', async () => {
    const { sessions } = openProcess();
    const other = await createTenant(stores.superuserUrl);
    const mine = session();
    await sessions.revoke({ ...revocationOf(mine), organizationId: other.organizationId });
    expect(await openProcess().sessions.isRevoked(organizationId, mine)).toBe(false);
  });

  it('are not promised while PostgreSQL is away; then Redis is asked, and without it nothing is said', async () => {
    const shared = {
      publish: () => Promise.resolve(),
      onRevoked: () => () => undefined,
      has: ({ sessionId }: { sessionId: string }) => Promise.resolve(sessionId === known.sessionId),
    };
    const [known, unknown] = [session(), session()];
    const { sessions } = openProcess(shared, nowhere);
    await expect(sessions.revoke(revocationOf(unknown))).rejects.toMatchObject({ status: 503 });
    expect(await sessions.isRevoked(organizationId, known)).toBe(true);
    expect(await sessions.isRevoked(organizationId, unknown)).toBe(false);
    const alone = openProcess({ ...shared, has: () => Promise.reject(new Error('not connected')) }, nowhere);
    await expect(alone.sessions.isRevoked(organizationId, unknown)).rejects.toMatchObject({ status: 503 });
  });
});
