import { SpooledError } from '@spooled/domain';
import type pg from 'pg';
import { closeIdle, closePool, createPool, type PoolSettings } from './pool.js';
import { ReplicaLag, type ReplicaLagSettings } from './replica-lag.js';
import { staleReads } from './stale-reads.js';

export interface ReplicaSettings extends ReplicaLagSettings {
  /** Logs in as spooled_app, or as a role that may switch to it. */
  url: string;
}

/** A request that gets no connection to the replica in this time is answered by the primary. */
const longestAcquireMs = 1_000;

/** A streaming replica for the reads of requests that may be stale. */
export class Replica {
  readonly pool: pg.Pool;
  private readonly lag: ReplicaLag;
  /** Apart from the connections of requests, which may all be in use when the answer matters most. */
  private readonly probes: [primary: pg.Pool, replica: pg.Pool];

  constructor(primary: PoolSettings, settings: ReplicaSettings) {
    const acquireTimeoutMs = Math.min(primary.acquireTimeoutMs, longestAcquireMs);
    const replica = { ...primary, url: settings.url, acquireTimeoutMs, minConnections: 0 };
    this.pool = createPool(replica);
    const probe = { maxConnections: 1, minConnections: 0 };
    this.probes = [createPool({ ...primary, ...probe }), createPool({ ...replica, ...probe })];
    this.lag = new ReplicaLag(...this.probes, settings);
  }

  /**
   * Runs `read` on the replica if the request in progress allows it and the replica is within its bound.
   * @returns undefined when the primary has to answer, also after the replica could not
   * @throws what `read` throws, unless the database failed
   */
  async tryRead<T>(read: (pool: pg.Pool) => Promise<T>): Promise<{ value: T } | undefined> {
    const request = staleReads.getStore();
    const lagMs = request ? this.lag.currentMs() : null;
    if (!request || lagMs === null) return undefined;
    try {
      const value = await read(this.pool);
      request.lagMs = Math.max(request.lagMs ?? 0, lagMs);
      return { value };
    } catch (error) {
      if (error instanceof SpooledError && error.code !== 'SERVICE_UNAVAILABLE') {
        request.lagMs = Math.max(request.lagMs ?? 0, lagMs);
        throw error;
      }
      this.lag.failed(error instanceof SpooledError ? (error.cause ?? error) : error);
      return undefined;
    }
  }

  /** Milliseconds that the replica is behind at most, also while it is not used. */
  get lagMs(): number {
    return this.lag.measuredMs();
  }

  /** Connections in use. */
  get activeConnections(): number {
    return this.pool.totalCount - this.pool.idleCount;
  }

  closeIdle(): void {
    closeIdle(this.pool);
  }

  async close(): Promise<void> {
    await this.lag.close();
    await Promise.all([this.pool, ...this.probes].map(closePool));
  }
}
