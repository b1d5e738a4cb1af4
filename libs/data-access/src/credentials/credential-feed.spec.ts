import { jest } from '@jest/globals';
import {
  eventually,
  ManualClock,
  openConnections,
  useDatabase,
  useSuperuser,
  useTenantForEach,
} from '@spooled/testing';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../database/database.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { lookupOf } from './api-key-text.js';
import { createConsoleLogin, insertAdministratorSession } from './console-sessions.js';
import type { CredentialCache } from './credential-cache.js';
import { CredentialFeed, type CredentialFeedOptions } from './credential-feed.js';
import type { CredentialChange } from './recent-changes.js';
import { deleteOldCredentialChanges, revokeSession } from './revoked-sessions.js';

const stores = useDatabase();
const superuser = useSuperuser(stores);
const tenant = useTenantForEach(stores);
let database: Database;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(() => void (database = open()));
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

function open(): Database {
  const opened = openConnections(stores, { maxConnections: 2 });
  let ended: Promise<void> | undefined;
  const close = opened.close.bind(opened);
  opened.close = () => (ended ??= close());
  closing.push(() => opened.close());
  return opened;
}

/** Polls only when the spec calls `poll`. */
async function openFeed(options: CredentialFeedOptions = {}) {
  const feed = new CredentialFeed(database, { clock: new ManualClock(), ...options });
  const received: string[] = [];
  await feed.poll();
  feed.onChange((change) => received.push(change === 'everything' ? change : `${change.kind} ${change.subject}`));
  return { feed, received };
}

/** In place of Redis, shared by the simulated processes. */
function sharedCache() {
  const entries = new Map<string, string>();
  const cache: CredentialCache = {
    get: <T>(hash: string) => Promise.resolve(entries.has(hash) ? (JSON.parse(entries.get(hash)!) as T) : null),
    set: (hash, value) => Promise.resolve(void (entries.has(hash) || entries.set(hash, JSON.stringify(value)))),
    delete: (hash) => Promise.resolve(void entries.delete(hash)),
    onInvalidate: () => () => undefined,
  };
  return { entries, cache };
}

const revoke = (key: string, client: Pick<pg.ClientBase, 'query'> = superuser) =>
  client.query('UPDATE api_keys SET is_active = false WHERE key_lookup = $1', [lookupOf(key)]);
const changeOf = (key: string) => `api_key ${lookupOf(key)}`;
const refused = { status: 401 };

describe('SP-72 credential feed', () => {
  it('reports each change once, and no change of last_used', async () => {
    const { feed, received } = await openFeed();
    await superuser.query('UPDATE api_keys SET last_used = now(), name = name WHERE key_lookup = $1', [
      lookupOf(tenant.key),
    ]);
    await feed.poll();
    expect(received).toEqual([]);
    await revoke(tenant.key);
    await feed.poll();
    await feed.poll();
    expect(received).toEqual([changeOf(tenant.key)]);
  });

  it('does not miss a change whose transaction began before another one and committed after it', async () => {
    const { feed, received } = await openFeed();
    const [slow, quick] = [await tenant.keyFor(), await tenant.keyFor()];
    const client = await superuser.connect();
    try {
      await client.query('BEGIN');
      await revoke(slow, client);
      await revoke(quick);
      await feed.poll();
      expect(received).toEqual([changeOf(quick)]);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    await feed.poll();
    expect(received).toEqual([changeOf(quick), changeOf(slow)]);
  });

  it('reports earlier changes to a new process, whose shared cache may have missed them', async () => {
    const { entries, cache } = sharedCache();
    const first = new ApiKeyAuthenticator(database, (await openFeed()).feed, cache);
    await first.authenticate(tenant.key);
    expect(entries.size).toBe(1);
    const cachedEntries = new Map(entries);
    await revoke(tenant.key);
    for (const [hash, text] of cachedEntries) entries.set(hash, text);
    const second = new ApiKeyAuthenticator(database, (await openFeed()).feed, cache);
    await expect(second.authenticate(tenant.key)).rejects.toMatchObject(refused);
    expect(entries.size).toBe(0);
  });

  it('prevents both caches from storing data that was read just before a change', async () => {
    const { entries, cache } = sharedCache();
    const { feed } = await openFeed();
    const keys = new ApiKeyAuthenticator(database, feed, cache);
    const asSystem = database.asSystem.bind(database);
    // Between the read of the row and its caching, the organization is deleted and the change is polled.
    jest.spyOn(database, 'asSystem').mockImplementationOnce(async (reason, work) => {
      const rows = await asSystem(reason, work);
      await superuser.query(`UPDATE organizations SET plan_tier = 'deleted' WHERE id = $1`, [tenant.organizationId]);
      await feed.poll();
      return rows;
    });
    expect((await keys.authenticate(tenant.key)).organizationId).toBe(tenant.organizationId);
    await eventually(() => expect(entries.size).toBe(1));
    await expect(keys.authenticate(tenant.key)).rejects.toMatchObject(refused);
    const other = new ApiKeyAuthenticator(database, feed, cache);
    await expect(other.authenticate(tenant.key)).rejects.toMatchObject(refused);
  });

  it('allows a changed key to be cached while an older transaction is open', async () => {
    const { feed } = await openFeed();
    const keys = new ApiKeyAuthenticator(database, feed);
    const client = await superuser.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT pg_current_xact_id()');
      await superuser.query(`UPDATE api_keys SET queues = '{mail}' WHERE key_lookup = $1`, [lookupOf(tenant.key)]);
      await feed.poll();
      expect((await keys.authenticate(tenant.key)).queues).toEqual(['mail']);
      const calls = jest.spyOn(database, 'asSystem');
      await keys.authenticate(tenant.key);
      expect(calls).not.toHaveBeenCalled();
    } finally {
      client.release(true);
    }
  });

  it('allows cached keys for maxStalenessMs while changes cannot be read', async () => {
    const errors: unknown[] = [];
    const clock = new ManualClock();
    const { feed } = await openFeed({ clock, onError: (error) => errors.push(error) });
    const { cache } = sharedCache();
    const keys = new ApiKeyAuthenticator(database, feed, cache);
    await keys.authenticate(tenant.key);
    await feed.poll();
    await database.close();
    await feed.poll();
    await feed.poll();
    expect(errors).toHaveLength(1);
    await clock.advance(9_999);
    expect((await keys.authenticate(tenant.key)).organizationId).toBe(tenant.organizationId);
    await clock.advance(1);
    await expect(keys.authenticate(tenant.key)).rejects.not.toMatchObject(refused);
  });

  it('reads all changes again from a server whose position is lower', async () => {
    const { feed, received } = await openFeed();
    await superuser.query(
      `INSERT INTO credential_changes (organization_id, kind, subject, changed_xid) VALUES ($1, 'api_key', 'lost', 1)`,
      [tenant.organizationId],
    );
    await feed.poll();
    expect(received).toEqual([]);
    const asSystem = database.asSystem.bind(database);
    const calls = jest.spyOn(database, 'asSystem').mockImplementationOnce(async (reason, work) => {
      const rows = (await asSystem(reason, work)) as { position: number }[];
      return rows.map((row) => ({ ...row, position: 1 })) as never;
    });
    await feed.poll();
    expect(calls).toHaveBeenCalledTimes(2);
    expect(received).toContain('api_key lost');
  });

  it('reports changes of plan and settings, a revoked session and a deleted organization', async () => {
    const { feed } = await openFeed();
    const received: CredentialChange[] = [];
    feed.onChange((change) => change !== 'everything' && received.push(change));
    const { organizationId } = tenant;
    const session = '0193b5f0-0000-7000-8000-000000000001';
    await superuser.query(`UPDATE organizations SET plan_tier = 'pro' WHERE id = $1`, [organizationId]);
    await superuser.query(`UPDATE organizations SET settings = '{"a": 1}' WHERE id = $1`, [organizationId]);
    await database.withTenant(organizationId, (tx) => tx.run(revokeSession, { sessionId: session, seconds: 60 }));
    await feed.poll();
    expect(received.map(({ kind, subject }) => [kind, subject]).sort()).toEqual([
      ['organization', ''],
      ['session', session],
      ['settings', ''],
    ]);
    received.length = 0;
    await database.withTenant(organizationId, (tx) => tx.query('DELETE FROM organizations'));
    await feed.poll();
    expect(received).toEqual(
      expect.arrayContaining([expect.objectContaining({ organizationId, kind: 'organization', subject: '' })]),
    );
  });
});

describe('cleanup of credential changes', () => {
  it('deletes changes older than any cache entry, and sessions whose tokens have expired', async () => {
    const { organizationId } = tenant;
    const [old, recent] = ['0193b5f0-0000-7000-8000-00000000000a', '0193b5f0-0000-7000-8000-00000000000b'];
    await database.withTenant(organizationId, async (tx) => {
      await tx.run(revokeSession, { sessionId: old, seconds: 60 });
      await tx.run(revokeSession, { sessionId: recent, seconds: 60 });
      await tx.query(`UPDATE revoked_sessions SET expires_at = now() - interval '1 s' WHERE session_id = $1`, [old]);
      await tx.query(`UPDATE credential_changes SET changed_at = now() - interval '3 h' WHERE subject = $1`, [old]);
    });
    expect(await database.asSystem('spec', (tx) => deleteOldCredentialChanges(tx, 100))).toBe(1);
    const left = (sql: string) => database.withTenant(organizationId, (tx) => tx.query<{ id: string }>(sql));
    expect(await left('SELECT session_id AS id FROM revoked_sessions')).toEqual([{ id: recent }]);
    expect(await left(`SELECT subject AS id FROM credential_changes WHERE kind = 'session'`)).toEqual([{ id: recent }]);
  });

  it('BX-24 deletes login links and sessions of the administrator that have expired', async () => {
    const { organizationId } = tenant;
    const [key] = await database.withTenant(organizationId, (tx) =>
      tx.query<{ id: string }>('SELECT id FROM api_keys'),
    );
    const link = (seconds: number) =>
      database.withTenant(organizationId, (tx) => createConsoleLogin(tx, key!.id, seconds));
    const [old, recent] = [randomUUID(), randomUUID()];
    await database.asSystem('spec', async (tx) => {
      await tx.run(insertAdministratorSession, { sessionId: old, seconds: -1 });
      await tx.run(insertAdministratorSession, { sessionId: recent, seconds: 60 });
    });
    for (const seconds of [-1, -1, 60]) await link(seconds);
    const clean = () => database.asSystem('spec', (tx) => deleteOldCredentialChanges(tx, 100));
    expect(await clean()).toBe(2);
    expect(await clean()).toBe(0);
    const left = (sql: string) => database.asSystem('spec', (tx) => tx.query<{ found: string }>(sql));
    expect(await left('SELECT session_id AS found FROM administrator_sessions')).toEqual([{ found: recent }]);
    expect(await left('SELECT organization_id AS found FROM console_logins')).toEqual([{ found: organizationId }]);
  });
});
