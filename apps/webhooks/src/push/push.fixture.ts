import type { Database } from '@spooled/data-access';
import { createLogger } from '@spooled/platform';
import { GroupCommit, JobEngine } from '@spooled/queue';
import {
  createTestDatabase,
  enqueue,
  eventually,
  newJob,
  openConnections,
  Receiver,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { parseShards, RedisCredentialCache, RedisShards } from '@spooled/transport';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService, type RunningService } from '../service.fixture.js';

export const logger = createLogger({ service: 'spec', level: 'silent' });

/** Webhooks services, and a push queue `emails` of an organization with its receiver; both are new for each test. */
export class PushFixture {
  receiver!: Receiver;
  tenant!: Tenant;
  private readonly services: RunningService[] = [];

  private constructor(
    readonly store: TestDatabase,
    readonly redis: TestRedis,
    readonly db: Database,
    readonly shards: RedisShards,
    private readonly changes: RedisCredentialCache,
    readonly engine: GroupCommit,
  ) {}

  static async open(): Promise<PushFixture> {
    const [store, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const onError = () => undefined;
    const db = openConnections(store, { onError });
    const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: logger });
    const changes = new RedisCredentialCache(shards, logger);
    const engine = new GroupCommit(new JobEngine(db, { onEffects: () => undefined }));
    await eventually(() => expect(shards.connected).toBe(true));
    return new PushFixture(store, redis, db, shards, changes, engine);
  }

  /** Before each test. */
  async begin(): Promise<{ receiver: Receiver; tenant: Tenant }> {
    this.receiver = await Receiver.open();
    this.tenant = await Tenant.create(this.db);
    return { receiver: this.receiver, tenant: this.tenant };
  }

  /** After each test. */
  async end(): Promise<void> {
    await Promise.all(this.services.splice(0).map((service) => service.stop()));
    await this.tenant.query('DELETE FROM queue_config');
    await this.receiver.close();
  }

  async close(): Promise<void> {
    await this.engine.drain();
    await this.shards.close();
    await this.db.close();
    await Promise.all([this.redis.close(), this.store.drop()]);
  }

  /** Starts a service that ends with the test. */
  async start(env?: Record<string, string | undefined>): Promise<RunningService> {
    const service = await this.startForAll(env);
    this.services.push(service);
    return service;
  }

  /** Starts a service that the caller stops. */
  startForAll(env: Record<string, string | undefined> = {}): Promise<RunningService> {
    const { store, redis } = this;
    const urls = { DATABASE_URL: store.appUrl, DATABASE_SYSTEM_URL: store.systemUrl, REDIS_URL: redis.url };
    return startService({ ...urls, PUSH_POLL_INTERVAL_MS: '50', ...env });
  }

  /** Saves the settings of queue `emails` as the gateway does, and publishes the change. */
  async configure(settings: object, { rate = null as number | null, enabled = true } = {}): Promise<void> {
    const { tenant } = this;
    await tenant.query(
      `INSERT INTO queue_config (organization_id, queue_name, settings, rate_limit, enabled) VALUES ($1, 'emails', $2, $3, $4)
       ON CONFLICT (organization_id, queue_name) DO UPDATE SET settings = $2, rate_limit = $3, enabled = $4`,
      [tenant.organizationId, JSON.stringify(settings), rate, enabled],
    );
    await this.changes.invalidate({ kind: 'queue', organizationId: tenant.organizationId, queueName: 'emails' });
  }

  /** Enqueues jobs directly, without wake-ups. Returns their ids. */
  async jobs(count: number, more: Partial<ReturnType<typeof newJob>> = {}): Promise<string[]> {
    const all = Array.from({ length: count }, () => newJob(more));
    await this.engine.submit(enqueue(this.tenant.organizationId, all));
    return all.map(({ id }) => id);
  }

  async job(id: string): Promise<Record<string, unknown>> {
    return (await this.tenant.query<Record<string, unknown>>('SELECT * FROM job_records WHERE id = $1', [id]))[0]!;
  }

  reached(id: string, status: string): Promise<void> {
    return eventually(async () => expect(await this.job(id)).toMatchObject({ status }));
  }
}
