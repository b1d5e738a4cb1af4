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

/** Servers and processes of one test: most of its time is waiting, so the tests of a block run side by side. */
export class Failover implements AsyncDisposable {
  readonly fixture = new TransportFixture();

  private constructor(readonly redis: FailoverRedis) {}

  static async open(startServers: () => Promise<FailoverRedis>): Promise<Failover> {
    return new Failover(await startServers());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fixture.closeAll();
    await this.redis.close();
  }
}
