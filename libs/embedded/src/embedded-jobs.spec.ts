import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { AccessDeniedError, ConflictError, NotFoundError, QuotaExceededError, ValidationError } from '@spooled/sdk';
import { eventually } from '@spooled/testing';
import pg from 'pg';
import { EmbeddedFixture, endsAs, startWorker } from './embedded.fixture.js';
import type { EmbeddedSpooled } from './index.js';

let fixture: EmbeddedFixture;
let spooled: EmbeddedSpooled;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
  spooled = await fixture.start();
});
afterAll(() => fixture?.close());

describe('BX-18 a producer in the process of the application', () => {
  it('creates, reads and cancels jobs as a client of the API does', async () => {
    const big = 12345678901234567890n;
    const payload = { to: 'ada@example.com', big };
    const { id, created } = await spooled.jobs.create({ queueName: 'mail', payload, priority: 7, tags: { a_b: 1 } });
    expect(created).toBe(true);
    expect(await spooled.jobs.get(id)).toMatchObject({
      ...{ id, queueName: 'mail', status: 'pending', payload, priority: 7, maxRetries: 3, tags: { a_b: 1 } },
      organizationId: spooled.organizationId,
    });
    await expect(spooled.jobs.retry(id)).rejects.toThrow(ConflictError);
    await spooled.jobs.cancel(id);
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'cancelled' });
    await expect(spooled.jobs.get('no-id')).rejects.toThrow(NotFoundError);
  });

  it('creates one job for an idempotency key, and many jobs in order', async () => {
    const job = { queueName: 'once', payload: 1, idempotencyKey: 'k' };
    const [first, second] = [await spooled.jobs.create(job), await spooled.jobs.create(job)];
    expect(second).toEqual({ id: first.id, created: false });
    const { succeeded } = await spooled.jobs.createMany({
      queueName: 'many',
      defaultPriority: 2,
      jobs: Array.from({ length: 250 }, (_, n) => ({ payload: { n } })),
    });
    expect(await spooled.jobs.get(succeeded[249]!.jobId)).toMatchObject({ payload: { n: 249 }, priority: 2 });
  });

  it.each([
    ['an invalid queue', { queueName: '.x', payload: 1 }, ValidationError, 'queue_name'],
    ['no payload', { queueName: 'q', payload: undefined }, ValidationError, 'payload: is required'],
    ['a payload above the limit', { queueName: 'q', payload: 'x'.repeat(1_100_000) }, ValidationError, '1048576'],
    ['a payload too deep for PostgreSQL', { queueName: 'q', payload: deep(100_000) }, ValidationError, ''],
    [
      'a payload that refers to itself',
      { queueName: 'q', payload: circular() },
      ValidationError,
      'payload: must be JSON',
    ],
    ['half a surrogate pair', { queueName: 'q', payload: '\ud800' }, ValidationError, 'surrogate'],
  ])('refuses %s', async (_, job, type, message) => {
    const error = await spooled.jobs.create(job as never).catch((rejection: unknown) => rejection as Error);
    expect(error).toBeInstanceOf(type);
    expect((error as Error).message).toContain(message);
  });

  it.each([Number.NaN, new Date(Number.NaN), { toJSON: () => null }])(
    'refuses the payload %p, which is null as JSON, as it refuses null',
    async (payload) => {
      const refusal = (value: unknown) =>
        spooled.jobs.create({ queueName: 'q', payload: value }).catch((error: unknown) => error);
      expect(await refusal(payload)).toBeInstanceOf(ValidationError);
      expect(await refusal(payload)).toEqual(await refusal(null));
    },
  );

  it('SP-85 refuses jobs beyond the quota of the plan', async () => {
    const organization = await fixture.organization({ plan: 'free', customLimits: { max_active_jobs: 2 } });
    const limited = await fixture.start({ organization });
    const jobs = (count: number) => ({ queueName: 'q', jobs: Array.from({ length: count }, () => ({ payload: 1 })) });
    await expect(limited.jobs.createMany(jobs(3))).rejects.toThrow(QuotaExceededError);
    await limited.jobs.createMany(jobs(2));
    await expect(limited.jobs.create({ queueName: 'q', payload: 1 })).rejects.toThrow(QuotaExceededError);
    expect(await fixture.sql('SELECT FROM jobs WHERE organization_id = $1', [organization])).toHaveLength(2);
  });

  it('SP-85 refuses transactions with one snapshot where the plan counts jobs, because they miss those of others', async () => {
    const organization = await fixture.organization({ plan: 'free', customLimits: { max_active_jobs: 2 } });
    const limited = await fixture.start({ organization });
    const client = new pg.Client({ connectionString: fixture.database.appUrl });
    await client.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const job = { queueName: 'q', payload: 1 };
      await expect(limited.jobs.create(job, { tx: client })).rejects.toThrow('READ COMMITTED');
      expect(await spooled.jobs.create(job, { tx: client })).toMatchObject({ created: true });
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
    expect(await fixture.sql('SELECT FROM jobs WHERE organization_id = $1', [organization])).toEqual([]);
  });

  it('refuses batches and their jobs beyond the plan and its settings, and callbacks that violate a contract', async () => {
    const organization = await fixture.organization({ plan: 'free', customLimits: { max_queues: 9 } });
    await fixture.sql(
      `INSERT INTO payload_contracts (organization_id, queue_name, version, mode, compatibility, schema, is_current)
       VALUES ($1, 'orders', 1, 'reject', 'none', '{"properties": {"sku": {"type": "string"}}}', true)`,
      [organization],
    );
    const limited = await fixture.start({ organization, settings: { maxBatchJobs: 2 } });
    const bad = { queueName: 'orders', payload: { sku: 1 } };
    await expect(limited.batches.create({ onSuccess: bad })).rejects.toMatchObject({
      details: { 'on_success.payload.sku': expect.stringContaining('string') },
    });
    await expect(limited.batches.create({ metadata: circular() })).rejects.toThrow('metadata: must be JSON');
    const { id } = await limited.batches.create({ onSuccess: { queueName: 'orders', payload: { sku: 'a' } } });
    await expect(limited.batches.create()).rejects.toThrow(QuotaExceededError);
    const jobs = (count: number) => ({ queueName: 'q', jobs: Array.from({ length: count }, () => ({ payload: 1 })) });
    await expect(limited.batches.add(id, jobs(3))).rejects.toThrow('at most 2 jobs');
    await expect(limited.batches.add(id, { ...bad, jobs: [bad] })).rejects.toThrow(ValidationError);
    await limited.batches.add(id, jobs(2));
    const other = await fixture.start();
    await expect(other.batches.get(id)).rejects.toThrow(NotFoundError);
    await expect(other.batches.add(id, jobs(1))).rejects.toThrow(NotFoundError);
  });

  it('BX-09 refuses payloads that violate the contract of their queue, also in a transaction of the application', async () => {
    const organization = await fixture.organization();
    const spooled = await fixture.start({ organization });
    await fixture.sql(
      `INSERT INTO payload_contracts (organization_id, queue_name, version, mode, compatibility, schema, is_current)
       VALUES ($1, 'orders', 1, 'reject', 'none', '{"properties": {"sku": {"type": "string"}}}', true)`,
      [organization],
    );
    const [good, bad] = [{ sku: 'a' }, { sku: 1 }];
    const invalid = (place: string) =>
      expect.objectContaining({ details: { [place]: expect.stringContaining('string') } });
    await expect(spooled.jobs.create({ queueName: 'orders', payload: bad })).rejects.toEqual(invalid('payload.sku'));
    const jobs = [{ payload: good }, { payload: bad }];
    await expect(spooled.jobs.createMany({ queueName: 'orders', jobs })).rejects.toEqual(
      invalid('jobs[1].payload.sku'),
    );
    const client = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await client.connect();
    await client.query('BEGIN');
    const within = spooled.jobs.create({ queueName: 'orders', payload: bad }, { tx: client });
    await expect(within).rejects.toEqual(invalid('payload.sku'));
    await client.end();
    expect(await spooled.jobs.create({ queueName: 'orders', payload: good })).toMatchObject({ created: true });
  });

  it('BX-09 records payloads that violate a contract of mode warn before it closes', async () => {
    const organization = await fixture.organization();
    const spooled = await fixture.start({ organization });
    await fixture.sql(
      `INSERT INTO payload_contracts (organization_id, queue_name, version, mode, compatibility, schema, is_current)
       VALUES ($1, 'orders', 1, 'warn', 'none', 'false', true)`,
      [organization],
    );
    expect(await spooled.jobs.create({ queueName: 'orders', payload: {} })).toMatchObject({ created: true });
    await spooled.close();
    const violations = 'SELECT violations::int FROM payload_contracts WHERE organization_id = $1';
    expect(await fixture.sql(violations, [organization])).toEqual([{ violations: 1 }]);
  });

  it('creates and runs no further jobs of an organization that was deleted', async () => {
    const organization = await fixture.organization();
    const deleted = await fixture.start({ organization });
    const worker = await startWorker(deleted, { q: () => undefined });
    await fixture.sql(`UPDATE organizations SET plan_tier = 'deleted' WHERE id = $1`, [organization]);
    const create = () => deleted.jobs.create({ queueName: 'other', payload: 1 });
    await eventually(() => expect(create()).rejects.toThrow(AccessDeniedError), { everyMs: 200, timeoutMs: 20_000 });
    const [refusal] = (await once(worker, 'error')) as [Error];
    expect(refusal).toBeInstanceOf(AccessDeniedError);
  });
});

describe('BX-18 a job in a transaction of the application', () => {
  // Roles belong to the server, which other specs use too.
  const role = `shop_${randomUUID().replaceAll('-', '')}`;
  let client: pg.Client;
  beforeAll(async () => {
    await fixture.sql(`CREATE ROLE ${role}; GRANT spooled_app TO ${role}; CREATE SCHEMA shop AUTHORIZATION ${role}`);
    client = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await client.connect();
    await client.query(
      `SET SESSION AUTHORIZATION ${role}; SET search_path TO shop; CREATE TABLE orders (id uuid PRIMARY KEY)`,
    );
  });
  afterAll(async () => {
    await client?.end();
    await fixture.sql(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  });

  const order = async (end: 'COMMIT' | 'ROLLBACK', queueName: string) => {
    await client.query('BEGIN');
    const orderId = randomUUID();
    await client.query('INSERT INTO orders VALUES ($1)', [orderId]);
    const { id } = await spooled.jobs.create({ queueName, payload: { orderId } }, { tx: client });
    // Role and search path are the application's again.
    const { rows } = await client.query(
      'SELECT current_user AS role, count(*)::int AS orders FROM orders WHERE id = $1',
      [orderId],
    );
    expect(rows).toEqual([{ role, orders: 1 }]);
    await client.query(end);
    return id;
  };

  it('exists when it commits, and runs', async () => {
    const id = await order('COMMIT', 'orders');
    await startWorker(spooled, { orders: () => 'shipped' });
    await endsAs(spooled, id, { status: 'completed', result: 'shipped' });
  });

  it('does not exist when it rolls back', async () => {
    await expect(spooled.jobs.get(await order('ROLLBACK', 'orders'))).rejects.toThrow(NotFoundError);
  });

  it('is announced to webhooks only if it commits', async () => {
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'w', 'https://hook.example', '{job.created}')`,
      [spooled.organizationId],
    );
    await order('ROLLBACK', 'announced');
    const id = await order('COMMIT', 'announced');
    const deliveries = await fixture.sql<{ event: string; payload: unknown }>(
      'SELECT event, payload FROM webhook_deliveries WHERE organization_id = $1',
      [spooled.organizationId],
    );
    expect(deliveries).toEqual([{ event: 'job.created', payload: expect.objectContaining({ job_id: id }) }]);
  });

  it('needs a role that is a member of spooled_app', async () => {
    await fixture.sql(`REVOKE spooled_app FROM ${role}`);
    await client.query('BEGIN');
    await expect(spooled.jobs.create({ queueName: 'orders', payload: 1 }, { tx: client })).rejects.toThrow(
      `tx: its role must be a member of spooled_app: GRANT spooled_app TO`,
    );
    await client.query('ROLLBACK');
    await fixture.sql(`GRANT spooled_app TO ${role}`);
  });

  it.each([null, 0, 'client', {}, () => undefined, { query: async () => [] }])(
    'is refused in %p, which is no client of a library, and creates nothing',
    async (tx) => {
      const job = { queueName: 'nowhere', payload: 1 };
      await expect(spooled.jobs.create(job, { tx: tx as never })).rejects.toThrow(
        /^tx: must (be a client of Prisma, postgres.js|answer with the rows)/,
      );
      expect(await fixture.sql("SELECT FROM jobs WHERE queue_name = 'nowhere'")).toEqual([]);
    },
  );

  it('is refused under another name of the option', async () => {
    const options = { client } as never;
    await expect(spooled.jobs.create({ queueName: 'q', payload: 1 }, options)).rejects.toThrow(
      'client: no such option',
    );
  });

  it('is refused without a transaction also for the login of requests, and on a pool', async () => {
    const login = { connectionString: fixture.database.appUrl };
    const queueName = 'outside';
    const own = new pg.Client(login);
    const pool = new pg.Pool({ ...login, max: 2 });
    try {
      await own.connect();
      for (const tx of [own, pool]) {
        await expect(spooled.jobs.create({ queueName, payload: 1 }, { tx })).rejects.toThrow('send BEGIN first');
      }
      await own.query('BEGIN');
      await spooled.jobs.create({ queueName, payload: 1 }, { tx: own });
      await own.query('ROLLBACK');
      await expect(spooled.jobs.create({ queueName, payload: 1 }, { tx: own })).rejects.toThrow('send BEGIN first');
    } finally {
      await Promise.all([own.end(), pool.end()]);
    }
    expect(await fixture.sql('SELECT 1 FROM jobs WHERE queue_name = $1', [queueName])).toEqual([]);
  });

  it('is refused without a transaction, and leaves one usable when it is invalid', async () => {
    const job = { queueName: 'orders', payload: 1 };
    await expect(spooled.jobs.create(job, { tx: client })).rejects.toThrow('send BEGIN first');
    await client.query('BEGIN');
    await expect(spooled.jobs.create({ ...job, priority: 1000 }, { tx: client })).rejects.toThrow(ValidationError);
    const parentJobId = randomUUID();
    await expect(spooled.jobs.create({ ...job, parentJobId }, { tx: client })).rejects.toThrow('no such job');
    const { id } = await spooled.jobs.create({ ...job, queueName: 'usable' }, { tx: client });
    await client.query('COMMIT');
    expect(await spooled.jobs.get(id)).toMatchObject({ status: 'pending' });
  });
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

function circular(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
