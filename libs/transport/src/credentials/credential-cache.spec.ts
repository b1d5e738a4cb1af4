import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture } from '../commands/command-stream.fixture.js';
import { RedisCredentialCache, type InvalidationNotice } from './credential-cache.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeEach(async () => {
  redis = await startRedis({ persistent: true });
  fixture = new TransportFixture();
});
afterEach(async () => {
  await fixture.closeAll();
  await redis.close();
});

async function openCache(urls = redis.url) {
  const shards = fixture.shards(urls);
  const cache = new RedisCredentialCache(shards, fixture.log);
  const received: InvalidationNotice[] = [];
  await eventually(() => expect(shards.connected).toBe(true));
  cache.onInvalidate((notice) => received.push(notice));
  return { cache, shards, received };
}
const revoked = { kind: 'api_key' as const, organizationId: 'a', hashes: ['h1'] };

describe('SP-65 cached credentials', () => {
  it('are shared, and removed for every process when invalidated', async () => {
    const [one, two] = [await openCache(), await openCache()];
    await one.cache.set('h1', { key: 1 }, 60);
    await one.cache.set('h2', { key: 2 }, 60);
    expect(await two.cache.get('h1')).toEqual({ key: 1 });

    expect(await one.cache.invalidate(revoked)).toBe(true);
    expect(await two.cache.get('h1')).toBeNull();
    expect(await two.cache.get('h2')).toEqual({ key: 2 });
    await eventually(() => expect(two.received).toContainEqual(revoked));
    expect(one.received).toContainEqual(revoked);
  });

  it('cannot be cached again by a reader that fetched the old state just before the change', async () => {
    const { cache } = await openCache();
    await cache.invalidate(revoked);
    await cache.set('h1', { active: true }, 60);
    expect(await cache.get('h1')).toBeNull();
  });

  it('are invalidated on every shard', async () => {
    const second = await startRedis();
    try {
      const urls = `${redis.url},${second.url}`;
      const [one, two] = [await openCache(urls), await openCache(urls)];
      const hashes = Array.from({ length: 20 }, (_, index) => `hash-${index}`);
      await Promise.all(hashes.map((hash) => one.cache.set(hash, { hash }, 60)));
      await one.cache.invalidate({ kind: 'organization', organizationId: 'a', hashes });
      expect(await Promise.all(hashes.map((hash) => two.cache.get(hash)))).toEqual(hashes.map(() => null));
    } finally {
      await second.close();
    }
  });
});

describe('while Redis is down', () => {
  it('reads return null, and changes are published afterwards to all disconnected processes', async () => {
    const [one, two] = [await openCache(), await openCache()];
    await one.cache.set('h1', { active: true }, 60);
    await redis.stop();
    await eventually(() => expect([one.shards.connected, two.shards.connected]).toEqual([false, false]));
    expect(await one.cache.get('h1')).toBeNull();
    await one.cache.set('h3', {}, 60);
    expect(await one.cache.invalidate(revoked)).toBe(false);
    expect(one.received).toContainEqual(revoked);

    await redis.start();
    await eventually(() => expect(two.received).toContainEqual({ kind: 'everything' }));
    await eventually(async () => expect(await two.shards.all[0]!.commands.get('api_key:h1')).toBe(''));
    expect(await two.cache.get('h1')).toBeNull();
  });
});
