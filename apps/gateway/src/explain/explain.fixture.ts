import { explainSchemas } from '@spooled/contracts';
import {
  createTenant,
  createTestDatabase,
  startRedis,
  type TestDatabase,
  type TestRedis,
  type TestTenant,
  useForAll,
} from '@spooled/testing';
import { REDIS } from '@spooled/service';
import type { RedisShards } from '@spooled/transport';
import pg from 'pg';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

/** A gateway with Redis, and one organization. */
export class ExplainFixture {
  private constructor(
    readonly database: TestDatabase,
    readonly redis: TestRedis,
    readonly gateway: TestGateway,
    readonly superuser: pg.Client,
    readonly tenant: TestTenant,
  ) {}

  static async open(): Promise<ExplainFixture> {
    const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const gateway = await startGateway(database, { redisUrl: redis.url });
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    return new ExplainFixture(database, redis, gateway, superuser, await createTenant(database.superuserUrl));
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    await this.superuser.end();
    await this.redis.close();
    await this.database.drop();
  }

  /** The body of a successful request. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, key = this.tenant.key) {
    const response = await this.gateway.request(method, path, key, body);
    if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async create(queue_name: string, more: object = {}): Promise<string> {
    return (await this.send('POST', '/jobs', { queue_name, payload: {}, ...more })).id as string;
  }

  /** The ids of the claimed jobs of worker `w1`. */
  async claim(queue_name: string, more: object = {}): Promise<string[]> {
    const { jobs } = await this.send('POST', '/jobs/claim', { queue_name, worker_id: 'w1', ...more });
    return (jobs as { id: string }[]).map(({ id }) => id);
  }

  register(queue_name: string, worker_id = queue_name): Promise<unknown> {
    return this.send('POST', '/workers/register', { queue_name, hostname: 'h', worker_id });
  }

  configure(queue_name: string, settings: object): Promise<unknown> {
    return this.send('PUT', `/queues/${queue_name}/config`, settings);
  }

  /** Empties the rate bucket of a queue such that it does not fill for an hour. */
  async emptyBucket(queue: string): Promise<string> {
    const { organizationId } = this.tenant;
    const bucket = `org:${organizationId}:queue:${queue}:tokens`;
    await this.redisOf(organizationId).hset(bucket, { tokens: '0', at: Date.now() + 3_600_000 });
    return bucket;
  }

  redisOf(organizationId: string) {
    return this.gateway.app.get<RedisShards>(REDIS).shardOf(organizationId).commands;
  }

  /** SQL without row-level security: to shift times, and to bring about what takes long. */
  async sql(text: string, ...parameters: unknown[]): Promise<void> {
    await this.superuser.query(text, parameters);
  }

  /** Attempts that ended within this hour. */
  record(
    queue: string,
    counts: { created?: number; completed?: number; retried?: number; cancelled?: number; run_ms?: number },
  ) {
    return this.sql(
      `INSERT INTO job_stats (organization_id, hour, slot, queue_name, created, completed, retried, cancelled, run_ms)
       VALUES ($1, date_trunc('hour', now()), 99, $2, $3, $4, $5, $6, $7)`,
      this.tenant.organizationId,
      queue,
      counts.created ?? 0,
      counts.completed ?? 0,
      counts.retried ?? 0,
      counts.cancelled ?? 0,
      counts.run_ms ?? 0,
    );
  }

  /** Jobs of the queue look this much older. */
  age(queue: string, seconds: number): Promise<void> {
    return this.sql(
      `UPDATE job_queue SET created_at = created_at - make_interval(secs => $3) WHERE organization_id = $1 AND queue_name = $2`,
      this.tenant.organizationId,
      queue,
      seconds,
    );
  }

  /** The explanation of a job, which fits its schema. */
  async job(id: string, key?: string): Promise<explainSchemas.JobExplanation> {
    return explainSchemas.jobExplanation.parse(await this.send('GET', `/jobs/${id}/explain`, undefined, key));
  }

  /** The explanation of a queue, which fits its schema. */
  async queue(name: string, key?: string): Promise<explainSchemas.QueueExplanation> {
    return explainSchemas.queueExplanation.parse(await this.send('GET', `/queues/${name}/explain`, undefined, key));
  }

  async summary(name: string): Promise<[string, string[]]> {
    const { status, problems } = await this.queue(name);
    return [status, problems.map(({ code }) => code)];
  }

  /** The status of a queue, and its problem without what to do about it. */
  async onlyProblem(name: string) {
    const { status, problems } = await this.queue(name);
    expect(problems).toHaveLength(1);
    const [{ action, ...problem }] = problems as [(typeof problems)[number]];
    expect(action).not.toBe('');
    return { status, ...problem };
  }
}

export const useExplain = (): ExplainFixture => useForAll(ExplainFixture.open, (fixture) => fixture.close());
