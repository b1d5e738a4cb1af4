import { jest } from '@jest/globals';
import {
  ApiKeyAuthenticator,
  ApiKeyDigests,
  CredentialFeed,
  type CredentialFeedOptions,
  type Database,
  LastUseWriter,
  lookupOf,
  newApiKeyText,
} from '@spooled/data-access';
import { createLogger } from '@spooled/platform';
import {
  createTenant,
  eventually,
  fromNow,
  ManualClock,
  openConnections,
  useDatabase,
  useRedis,
  useSuperuser,
} from '@spooled/testing';
import { parseShards, RedisCredentialCache, RedisShards } from '@spooled/transport';

const stores = useDatabase();
const redis = useRedis();
const owner = useSuperuser(stores);
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

function openDatabase(): Database {
  const database = openConnections(stores);
  closing.push(() => database.close());
  return database;
}

/** An authenticator with its own caches, as in a separate process, once it is connected and knows all changes so far. */
async function openProcess(feedOptions: CredentialFeedOptions = {}) {
  const database = openDatabase();
  const log = createLogger({ service: 'spec', level: 'silent' });
  const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log });
  closing.push(() => shards.close());
  const shared = new RedisCredentialCache(shards, log);
  const feed = new CredentialFeed(database, feedOptions).start();
  closing.push(() => feed.stop());
  const authenticator = new ApiKeyAuthenticator(database, feed, shared);
  await eventually(() => expect(shards.connected).toBe(true));
  await feed.poll();
  return { authenticator, database, feed, shared, shards };
}

/** The process learns of later changes by notices only. */
const withoutPolls = { intervalMs: 3_600_000, maxStalenessMs: 3_600_000 };
const refused = { status: 401, code: 'UNAUTHORIZED' };
const deactivate = (key: string) =>
  owner.query('UPDATE api_keys SET is_active = false WHERE key_lookup = $1', [lookupOf(key)]);

describe('ApiKeyAuthenticator', () => {
  it('SP-68 resolves a key to its organization and queue scope', async () => {
    const tenant = await createTenant(stores.superuserUrl, { plan: 'pro' });
    const { authenticator } = await openProcess();
    expect(await authenticator.authenticate(tenant.key)).toMatchObject({
      organizationId: tenant.organizationId,
      queues: null,
      planTier: 'pro',
      rateLimit: null,
    });
    expect((await authenticator.authenticate(await tenant.keyFor('mail'))).queues).toEqual(['mail']);
    expect((await authenticator.authenticate(await tenant.keyFor('mail', '*'))).queues).toBeNull();
  });

  it.each([
    ['malformed', 'sk_live_short'],
    ['unknown', newApiKeyText({ live: true })],
  ])('SP-68 rejects a key that is %s', async (_, key) => {
    const { authenticator } = await openProcess();
    await expect(authenticator.authenticate(key)).rejects.toMatchObject(refused);
    await expect(authenticator.authenticate(key)).rejects.toMatchObject(refused);
  });

  it('SP-71 rejects an expired key, also one that expires while it is cached', async () => {
    const tenant = await createTenant(stores.superuserUrl);
    const [soon, past] = [await tenant.keyFor(), await tenant.keyFor()];
    await owner.query(`UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE key_lookup = $1`, [
      lookupOf(soon),
    ]);
    await owner.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE key_lookup = $1`, [
      lookupOf(past),
    ]);
    const clock = new ManualClock(fromNow(0).getTime());
    const { authenticator } = await openProcess({ clock });
    await expect(authenticator.authenticate(past)).rejects.toMatchObject(refused);
    expect((await authenticator.authenticate(soon)).organizationId).toBe(tenant.organizationId);
    await clock.advance(3_600_000);
    await expect(authenticator.authenticate(soon)).rejects.toMatchObject(refused);
  });

  it('rejects the keys of a deleted organization', async () => {
    const tenant = await createTenant(stores.superuserUrl);
    await owner.query(`UPDATE organizations SET plan_tier = 'deleted' WHERE id = $1`, [tenant.organizationId]);
    await expect((await openProcess()).authenticator.authenticate(tenant.key)).rejects.toMatchObject(refused);
  });

  it('SP-70 looks a key up once: concurrent requests share the look-up, a second process uses the shared cache', async () => {
    const { key } = await createTenant(stores.superuserUrl);
    const [one, two] = [await openProcess(), await openProcess()];
    const looksOf = ({ database }: typeof one) => jest.spyOn(database, 'asSystem');
    const [first, second] = [looksOf(one), looksOf(two)];
    const lookups = (spy: typeof first) => spy.mock.calls.filter(([reason]) => reason === 'authenticate').length;
    await Promise.all(Array.from({ length: 20 }, () => one.authenticator.authenticate(key)));
    expect(lookups(first)).toBe(1);
    await eventually(async () => expect(await one.shared.get(lookupOf(key))).not.toBeNull());
    await two.authenticator.authenticate(key);
    expect(lookups(second)).toBe(0);
  });

  it('SP-79 the shared cache keeps a key for at most an hour, and not beyond its expiry', async () => {
    const tenant = await createTenant(stores.superuserUrl);
    const [lasting, expiring] = [tenant.key, await tenant.keyFor()];
    await owner.query(`UPDATE api_keys SET expires_at = now() + interval '100 seconds' WHERE key_lookup = $1`, [
      lookupOf(expiring),
    ]);
    const { authenticator, shared, shards } = await openProcess();
    const secondsOf = async (key: string) => {
      await authenticator.authenticate(key);
      await eventually(async () => expect(await shared.get(lookupOf(key))).not.toBeNull());
      return shards.shardOf(lookupOf(key)).commands.ttl(`api_key:${lookupOf(key)}`);
    };
    const [longest, shorter] = [await secondsOf(lasting), await secondsOf(expiring)];
    expect([longest > 3_500 && longest <= 3_600, shorter > 0 && shorter <= 100]).toEqual([true, true]);
  });

  it('SP-79 a process looks a key up again after an hour', async () => {
    const { key } = await createTenant(stores.superuserUrl);
    const database = openDatabase();
    const clock = new ManualClock();
    const feed = new CredentialFeed(database, { clock });
    const authenticator = new ApiKeyAuthenticator(database, feed);
    const spy = jest.spyOn(database, 'asSystem');
    const lookups = () => spy.mock.calls.filter(([reason]) => reason === 'authenticate').length;
    const after = async (seconds: number) => {
      await clock.advance(seconds * 1000);
      await feed.poll();
      await authenticator.authenticate(key);
      return lookups();
    };
    expect([await after(0), await after(3_599), await after(2)]).toEqual([1, 1, 2]);
  });

  it('stores neither the text of a key nor its digest in the shared cache', async () => {
    const { key } = await createTenant(stores.superuserUrl);
    const { authenticator, shared } = await openProcess();
    await authenticator.authenticate(key);
    await eventually(async () => expect(await shared.get(lookupOf(key))).not.toBeNull());
    const kept = JSON.stringify(await shared.get(lookupOf(key)));
    expect(kept).not.toContain(key);
    expect(kept).not.toContain(new ApiKeyDigests().of(key).split(':')[1]);
  });

  it('SP-72 a revoked key is rejected at once by every process that has cached it', async () => {
    const { key, organizationId } = await createTenant(stores.superuserUrl);
    const [one, two] = [await openProcess(withoutPolls), await openProcess(withoutPolls)];
    await Promise.all([one.authenticator.authenticate(key), two.authenticator.authenticate(key)]);
    await deactivate(key);
    // Still accepted from the cache: no invalidation has been published.
    await two.authenticator.authenticate(key);
    await one.shared.invalidate({ kind: 'api_key', organizationId, hashes: [lookupOf(key)] });
    await expect(one.authenticator.authenticate(key)).rejects.toMatchObject(refused);
    await eventually(() => expect(two.authenticator.authenticate(key)).rejects.toMatchObject(refused));
  });

  it('SP-72 a revocation during an outage of Redis is detected without a notice', async () => {
    const { key } = await createTenant(stores.superuserUrl);
    const process = await openProcess();
    await process.authenticator.authenticate(key);
    await redis.kill();
    try {
      await deactivate(key);
      await eventually(() => expect(process.authenticator.authenticate(key)).rejects.toMatchObject(refused));
    } finally {
      await redis.start();
    }
  });

  it('SP-72 the same notice invalidates a key that is cached by id, as for tokens', async () => {
    const { key, organizationId } = await createTenant(stores.superuserUrl);
    const { rows } = await owner.query('SELECT id FROM api_keys WHERE key_lookup = $1', [lookupOf(key)]);
    const { id } = rows[0] as { id: string };
    const [one, two] = [await openProcess(withoutPolls), await openProcess(withoutPolls)];
    for (const { authenticator } of [one, two]) {
      expect(await authenticator.authenticateById(id)).toMatchObject({ apiKeyId: id, organizationId });
    }
    await deactivate(key);
    await one.shared.invalidate({ kind: 'api_key', organizationId, hashes: [lookupOf(key)] });
    await expect(one.authenticator.authenticateById(id)).rejects.toMatchObject(refused);
    await eventually(() => expect(two.authenticator.authenticateById(id)).rejects.toMatchObject(refused));
    await expect(one.authenticator.authenticateById(organizationId)).rejects.toMatchObject(refused);
  });

  it('answers 503, not 401, when a key cannot be looked up', async () => {
    const database = openConnections(
      { appUrl: 'postgresql://spooled_app@127.0.0.1:1/none' },
      { maxConnections: 1, acquireTimeoutMs: 1_000 },
    );
    closing.push(() => database.close());
    const authenticator = new ApiKeyAuthenticator(database, new CredentialFeed(database));
    await expect(authenticator.authenticate(newApiKeyText({ live: true }))).rejects.toMatchObject({ status: 503 });
  });
});

describe('LastUseWriter', () => {
  it('records the last use of a key once for many uses', async () => {
    const { key } = await createTenant(stores.superuserUrl);
    const { apiKeyId } = await (await openProcess()).authenticator.authenticate(key);
    const errors: unknown[] = [];
    const writer = new LastUseWriter(openDatabase(), (error) => errors.push(error));
    const lastUse = async () => {
      const { rows } = await owner.query('SELECT last_used FROM api_keys WHERE id = $1', [apiKeyId]);
      return (rows[0] as { last_used: Date | null }).last_used;
    };
    for (let i = 0; i < 100; i++) writer.record(apiKeyId);
    await writer.flush();
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);
    writer.record(apiKeyId);
    await writer.stop();
    expect(await lastUse()).toEqual(first);
    expect(errors).toEqual([]);
  });
});
