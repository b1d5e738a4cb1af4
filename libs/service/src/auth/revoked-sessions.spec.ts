import { randomUUID } from 'node:crypto';
import { CredentialFeed } from '@spooled/data-access';
import { createTenant, openConnections, useDatabase } from '@spooled/testing';
import type { Revocation } from '@spooled/transport';
import { RevokedSessions } from './revoked-sessions.js';

const stores = useDatabase();
let organizationId: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => void ({ organizationId } = await createTenant(stores.superuserUrl)));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A simulated process; its feed polls only when the spec calls `poll`. */
function openProcess(shared: ConstructorParameters<typeof RevokedSessions>[2] = null, appUrl = stores.appUrl) {
  const database = openConnections(
    { appUrl, systemUrl: appUrl === stores.appUrl ? stores.systemUrl : appUrl },
    { maxConnections: 2, acquireTimeoutMs: 2_000 },
  );
  closing.push(() => database.close());
  const feed = new CredentialFeed(database);
  return { feed, sessions: new RevokedSessions(database, feed, shared) };
}

/** One without Redis that takes what it has read for current until `tell` is called. */
function openWatching() {
  const database = openConnections({ appUrl: stores.appUrl, systemUrl: stores.systemUrl }, { maxConnections: 2 });
  closing.push(() => database.close());
  let tell: Parameters<CredentialFeed['onChange']>[0] = () => undefined;
  const onChange = (listener: typeof tell) => ((tell = listener), () => undefined);
  const feed = Object.assign(new CredentialFeed(database), { onChange, isCurrent: () => true });
  return {
    sessions: new RevokedSessions(database, feed, null),
    tell: (change: Parameters<typeof tell>[0]) => tell(change),
  };
}

const session = () => ({ tokenId: randomUUID() as string, sessionId: randomUUID() as string });
const revocationOf = ({ tokenId, sessionId }: { tokenId: string; sessionId: string }): Revocation => ({
  organizationId,
  sessionId,
  sessionSeconds: 600,
  tokens: [{ tokenId, seconds: 60 }],
});
const unreachableUrl = 'postgresql://spooled_app@127.0.0.1:1/none';

describe('SP-75 revoked sessions', () => {
  it('are rejected by new processes with all their tokens, and by running ones after the next poll', async () => {
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

  it('do not affect sessions of another organization', async () => {
    const { sessions } = openProcess();
    const other = await createTenant(stores.superuserUrl);
    const mine = session();
    await sessions.revoke({ ...revocationOf(mine), organizationId: other.organizationId });
    expect(await openProcess().sessions.isRevoked(organizationId, mine)).toBe(false);
  });

  it('are read again when changes may have been missed, and when one ends during the query', async () => {
    const [watching, another] = [openWatching(), openProcess()];
    const [missed, ending] = [session(), session()];
    expect(await watching.sessions.isRevoked(organizationId, missed)).toBe(false);
    await another.sessions.revoke(revocationOf(missed));
    expect(await watching.sessions.isRevoked(organizationId, missed)).toBe(false);
    watching.tell('everything');
    expect(await watching.sessions.isRevoked(organizationId, missed)).toBe(true);
    const asked = watching.sessions.isRevoked(organizationId, ending);
    watching.tell({ kind: 'session', organizationId, subject: ending.sessionId, xid: 1, changedAt: 0 });
    expect(await asked).toBe(true);
  });

  it('are told to other processes through Redis once they are recorded, and heard of from them', async () => {
    const [mine, other] = [session(), session()];
    const told: Revocation[] = [];
    let hear: (sessionId: string) => void = () => undefined;
    const { sessions } = openProcess({
      publish: (revocation) => Promise.resolve(void told.push(revocation)),
      onRevoked: (listener) => ((hear = listener), () => undefined),
      has: () => Promise.reject(new Error('not asked while PostgreSQL answers')),
    });
    await sessions.revoke(revocationOf(mine));
    expect(told).toEqual([revocationOf(mine)]);
    expect(await sessions.isRevoked(organizationId, other)).toBe(false);
    hear(other.sessionId);
    expect(await sessions.isRevoked(organizationId, other)).toBe(true);
  });

  it('cannot be recorded while PostgreSQL is unavailable; checks then use Redis, and fail with 503 without it', async () => {
    const shared = {
      publish: () => Promise.resolve(),
      onRevoked: () => () => undefined,
      has: ({ sessionId }: { sessionId: string }) => Promise.resolve(sessionId === known.sessionId),
    };
    const [known, unknown] = [session(), session()];
    const { sessions } = openProcess(shared, unreachableUrl);
    await expect(sessions.revoke(revocationOf(unknown))).rejects.toMatchObject({ status: 503 });
    expect(await sessions.isRevoked(organizationId, known)).toBe(true);
    expect(await sessions.isRevoked(organizationId, unknown)).toBe(false);
    const alone = openProcess(null, unreachableUrl);
    await expect(alone.sessions.isRevoked(organizationId, known)).rejects.toMatchObject({ status: 503 });
    const isolated = openProcess({ ...shared, has: () => Promise.reject(new Error('not connected')) }, unreachableUrl);
    await expect(isolated.sessions.isRevoked(organizationId, unknown)).rejects.toMatchObject({ status: 503 });
  });
});
