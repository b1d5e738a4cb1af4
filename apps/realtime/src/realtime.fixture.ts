import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@spooled/contracts';
import { productMetrics } from '@spooled/contracts';
import { ApiKeyDigests, lookupOf, newApiKeyText, prefixOf } from '@spooled/data-access';
import { type Role } from '@spooled/domain';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import { AccessTokens, REDIS } from '@spooled/service';
import { eventually, patientTimeouts } from '@spooled/testing';
import { parseShards, RedisCredentialCache, RedisEventPublisher, RedisShards } from '@spooled/transport';
import pg from 'pg';
import { createRealtime } from './create-realtime.js';
import { realtimeSettings, type RealtimeService } from './realtime.config.js';

interface Stores {
  appUrl: string;
  systemUrl: string;
  superuserUrl: string;
  redisUrl: string;
}

/** Signs the access tokens of the specs. */
const tokenSecret = 'a secret that only these specs know';

export interface RunningRealtime {
  /** http://127.0.0.1:port/api/v1 */
  url: string;
  logs: string[];
  stop(): Promise<void>;
}

/**
 * The complete service in this process, on a free port. It is connected to its Redis when the promise resolves: until then streams
 * open without events, and slots are counted by process. An empty `redisUrl` starts one without Redis.
 */
export async function startRealtime(stores: Stores, env: Record<string, string> = {}): Promise<RunningRealtime> {
  const logs: string[] = [];
  const logger = createLogger({
    service: 'realtime',
    level: 'debug',
    destination: { write: (line) => logs.push(line) },
  });
  const parts: (() => unknown)[] = [];
  const service: RealtimeService = {
    name: 'realtime',
    version: 'spec',
    settings: readSettings(realtimeSettings, {
      DATABASE_URL: stores.appUrl,
      DATABASE_SYSTEM_URL: stores.systemUrl,
      DATABASE_MIN_CONNECTIONS: '0',
      ...patientTimeouts,
      REDIS_URL: stores.redisUrl,
      JWT_SECRET: tokenSecret,
      SHUTDOWN_DRAIN_SECS: '0',
      ...env,
    }),
    logger,
    metrics: createMetrics(productMetrics),
    health: new HealthChecks(logger),
    stopping: new AbortController().signal,
    onStop: (_part, stop) => void parts.unshift(stop),
    answerHealthWith: () => undefined,
  };
  const app = await createRealtime(service);
  service.onStop('streams', () => app.close());
  await app.listen(0, '127.0.0.1');
  if (stores.redisUrl) await eventually(() => expect(app.get<RedisShards>(REDIS).connected).toBe(true));
  const stop = async () => {
    for (const part of parts.splice(0)) await part();
  };
  return { url: `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/api/v1`, logs, stop };
}

export interface Tenant {
  organizationId: string;
  key: string;
}

/** Stands in for the other services: organizations, keys, jobs and published events. */
export class OtherServices {
  readonly redis: RedisShards;
  private readonly database: pg.Pool;
  private readonly credentials: RedisCredentialCache;
  private readonly publisher: RedisEventPublisher;

  constructor({ superuserUrl, redisUrl }: Stores) {
    const log = createLogger({ service: 'spec', level: 'silent' });
    this.database = new pg.Pool({ connectionString: superuserUrl, max: 2 });
    this.database.on('error', () => undefined);
    this.redis = new RedisShards({ shards: parseShards(redisUrl), connectionName: 'spec', log });
    this.credentials = new RedisCredentialCache(this.redis, log);
    this.publisher = new RedisEventPublisher(this.redis);
  }

  async tenant(): Promise<Tenant> {
    const organizationId = randomUUID();
    await this.database.query('INSERT INTO organizations (id, name, slug) VALUES ($1, $2, $3)', [
      organizationId,
      'Spec',
      `spec-${organizationId}`,
    ]);
    return { organizationId, key: await this.apiKey(organizationId) };
  }

  async apiKey(organizationId: string, queues: string[] = [], role: Role = 'admin'): Promise<string> {
    const key = newApiKeyText({ live: false });
    await this.database.query(
      `INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup, queues, role)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [organizationId, 'spec', prefixOf(key), new ApiKeyDigests().of(key), lookupOf(key), queues, role],
    );
    return key;
  }

  /** An access token of the key. */
  async accessToken({ organizationId, key }: Tenant): Promise<string> {
    const sql = 'SELECT id FROM api_keys WHERE key_lookup = $1';
    const { rows } = await this.database.query<{ id: string }>(sql, [lookupOf(key)]);
    const subject = { organizationId, apiKeyId: rows[0]!.id, queues: null, sessionId: randomUUID() };
    return new AccessTokens({ current: tokenSecret }, { issuer: 'spooled', audience: 'spooled-api' }).issue(
      'access',
      subject,
      60,
    );
  }

  async revoke({ organizationId, key }: Tenant): Promise<void> {
    await this.database.query('UPDATE api_keys SET is_active = false WHERE key_lookup = $1', [lookupOf(key)]);
    await this.credentials.invalidate({ kind: 'api_key', organizationId, hashes: [lookupOf(key)] });
  }

  async setRole({ organizationId, key }: Tenant, role: Role): Promise<void> {
    await this.database.query('UPDATE api_keys SET role = $2 WHERE key_lookup = $1', [lookupOf(key), role]);
    await this.credentials.invalidate({ kind: 'api_key', organizationId, hashes: [lookupOf(key)] });
  }

  async rescope({ organizationId, key }: Tenant, queues: string[]): Promise<void> {
    await this.database.query('UPDATE api_keys SET queues = $2 WHERE key_lookup = $1', [lookupOf(key), queues]);
    await this.credentials.invalidate({ kind: 'api_key', organizationId, hashes: [lookupOf(key)] });
  }

  /** A job that is ready to be claimed. */
  async job(organizationId: string, queueName = 'emails'): Promise<string> {
    const id = randomUUID();
    await this.database.query(
      `WITH record AS (
         INSERT INTO jobs (id, organization_id, created_at, updated_at, timeout_seconds, priority, max_retries, queue_name, payload)
         VALUES ($1, $2, now(), now(), 300, 0, 3, $3, '{}'))
       INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
       VALUES ($1, $2, now(), 'ready', 0, 3, $3)`,
      [id, organizationId, queueName],
    );
    return id;
  }

  publish(organizationId: string, ...events: EventEnvelope[]): void {
    this.publisher.publish([{ organizationId, events }]);
  }

  async close(): Promise<void> {
    await this.redis.close();
    await this.database.end();
  }
}

const timestamp = '2026-11-21T11:00:00.000Z';

export const created = (job_id: string, queue_name = 'emails'): EventEnvelope => ({
  type: 'JobCreated',
  data: { job_id, queue_name, priority: 0, timestamp },
});

export const completed = (job_id: string, result?: string): EventEnvelope => ({
  type: 'JobCompleted',
  data: { job_id, queue_name: 'emails', duration_ms: 7, result, timestamp },
});

export const heartbeat = (worker_id: string): EventEnvelope => ({
  type: 'WorkerHeartbeat',
  data: { worker_id, status: 'healthy', timestamp },
});

export const statusChanged = (
  job_id: string,
  from: 'pending' | 'processing',
  to: 'processing' | 'completed',
): EventEnvelope => ({
  type: 'JobStatusChange',
  data: { job_id, queue_name: 'emails', old_status: from, new_status: to, status: to, timestamp },
});
