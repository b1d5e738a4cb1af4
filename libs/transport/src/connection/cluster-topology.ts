import { Redis } from 'ioredis';
import type { HostPort, RedisAccess } from './redis-address.js';

type SlotRange = [from: number, to: number, primary: [host: string | null, port: number, ...rest: unknown[]]];

const connectTimeoutMs = 2000;
/** A node accepts connections even if its process is suspended. */
const answerTimeoutMs = 1000;

/** Which node is the primary of a slot, asked when a connection is opened. Concurrent look-ups share one. */
export class ClusterTopology {
  /** Listed nodes first, then those that they named. */
  private nodes: readonly HostPort[];
  private next = 0;
  private reading: Promise<SlotRange[]> | undefined;

  constructor(
    private readonly listed: readonly HostPort[],
    private readonly access: RedisAccess,
  ) {
    this.nodes = listed;
  }

  /** @throws Error when no reachable node knows the primary of the slot, or all of them consider the cluster down */
  async primaryOf(slot: number): Promise<HostPort> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    const range = (await this.reading).find(([from, to]) => from <= slot && slot <= to);
    if (!range) throw new Error(`no node of the Redis Cluster serves slot ${slot}`);
    return { host: range[2][0]!, port: range[2][1] };
  }

  /** Asks one node after the other, beginning with a different one each time: the view of one may be out of date. */
  private async read(): Promise<SlotRange[]> {
    let lastError: unknown;
    const { nodes } = this;
    const first = this.next++;
    for (let i = 0; i < nodes.length; i++) {
      try {
        const ranges = await this.ask(nodes[(first + i) % nodes.length]!);
        this.nodes = withNamed(this.listed, ranges);
        return ranges;
      } catch (error) {
        lastError = error;
      }
    }
    throw new Error(`no node of the Redis Cluster can be asked: ${(lastError as Error).message}`, { cause: lastError });
  }

  private async ask(node: HostPort): Promise<SlotRange[]> {
    const { username, password, tls } = this.access;
    const redis = new Redis({
      ...node,
      ...(username && { username }),
      ...(password && { password }),
      ...(tls && { tls: {} }),
      lazyConnect: true,
      enableReadyCheck: false,
      disableClientInfo: true,
      connectTimeout: connectTimeoutMs,
      commandTimeout: answerTimeoutMs,
      disconnectTimeout: 200,
      retryStrategy: () => null,
    });
    let reason: Error | undefined;
    redis.on('error', (error) => (reason = error));
    try {
      await redis.connect();
      const [info, ranges] = await Promise.all([redis.cluster('INFO'), redis.cluster('SLOTS')]);
      if (!/^cluster_state:ok\r?$/m.test(String(info))) throw new Error('the cluster is down');
      return (ranges as unknown as SlotRange[]).map(([from, to, [host, port]]) => [
        from,
        to,
        [host || node.host, port],
      ]);
    } catch (error) {
      // ioredis itself says only that the connection is closed.
      throw reason ?? error;
    } finally {
      redis.disconnect();
    }
  }
}

function withNamed(listed: readonly HostPort[], ranges: SlotRange[]): HostPort[] {
  const named = ranges.map(([, , [host, port]]) => ({ host: host!, port }));
  return [...new Map([...listed, ...named].map((node) => [`${node.host} ${node.port}`, node])).values()];
}
