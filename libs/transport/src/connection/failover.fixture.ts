import { type FailoverRedis, startRedisCluster, startSentinel } from '@spooled/testing';
import { TransportFixture } from '../commands/command-stream.fixture.js';

export const organizationId = 'an-organization';
/** Detection takes 3 s in these tests; the rest is for a busy machine. */
export const failover = { timeoutMs: 45_000 };

/** What has a standby that takes over. */
export const setups: [name: string, startServers: () => Promise<FailoverRedis>][] = [
  ['Sentinel', startSentinel],
  ['Cluster', startRedisCluster],
];

/** New servers and processes for each test of a block; both are ended after it. */
export function useFailover(startServers: () => Promise<FailoverRedis>): {
  redis: FailoverRedis;
  fixture: TransportFixture;
} {
  const used = {} as { redis: FailoverRedis; fixture: TransportFixture };
  beforeEach(async () => {
    used.redis = await startServers();
    used.fixture = new TransportFixture();
  }, 60_000);
  afterEach(async () => {
    await used.fixture.closeAll();
    await used.redis.close();
  });
  return used;
}
