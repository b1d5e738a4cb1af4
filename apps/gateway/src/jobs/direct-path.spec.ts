import { createTenant, createTestDatabase, startRedis, type TestDatabase, type TestTenant } from '@spooled/testing';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

let database: TestDatabase;
let tenant: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await createTenant(database.superuserUrl);
});

afterAll(() => database?.drop());

/** One job through its whole life at this gateway. */
async function runOneJob({ ask }: TestGateway, queue_name: string) {
  const { key } = tenant;
  const created = await ask('POST', '/jobs', key, { queue_name, payload: { deep: [1] } });
  const claimed = await ask('POST', '/jobs/claim', key, { queue_name, worker_id: 'w1' });
  const { id, lease_id } = claimed.body.jobs[0];
  const completed = await ask('POST', `/jobs/${id}/complete`, key, { worker_id: 'w1', lease_id, result: { ok: 1 } });
  const job = await ask('GET', `/jobs/${id}`, key);
  return [created.status, completed.status, job.body.status, job.body.payload, job.body.result];
}

const wholeLife = [201, 200, 'completed', { deep: [1] }, { ok: 1 }];

describe('without Redis', () => {
  it('BX-08 KF-15 jobs go all the way, and are counted where they were answered', async () => {
    const gateway = await startGateway(database);
    try {
      expect(await runOneJob(gateway, 'none')).toEqual(wholeLife);
      const metrics = await gateway.service.metrics.text();
      expect(metrics).toMatch(/^spooled_jobs_enqueued_total 1$/m);
      expect(metrics).toMatch(/^spooled_jobs_completed_total 1$/m);
      expect((await gateway.ask('GET', '/dashboard', tenant.key)).body.system.cache_status).toBe('disabled');
    } finally {
      await gateway.stop();
    }
  });
});

describe('with a Redis that is gone, or has no engine', () => {
  it('BX-08 jobs go all the way', async () => {
    const redis = await startRedis();
    const gateway = await startGateway(database, { redisUrl: redis.url });
    try {
      expect(await runOneJob(gateway, 'no-engine')).toEqual(wholeLife);
      await redis.kill();
      expect(await runOneJob(gateway, 'no-redis')).toEqual(wholeLife);
      const pause = await gateway.ask('POST', '/queues/no-redis/pause', tenant.key);
      expect(pause).toMatchObject({ status: 200, body: { paused: true } });
    } finally {
      await gateway.stop();
      await redis.close();
    }
  });

  it('are refused with 503 where the operator insists on the engines', async () => {
    const gateway = await startGateway(database, {
      redisUrl: 'redis://127.0.0.1:1',
      env: { ENGINE_PATH: 'transport' },
    });
    try {
      const answer = await gateway.ask('POST', '/jobs', tenant.key, { queue_name: 'q', payload: {} });
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(answer.body).toEqual({ code: 'SERVICE_UNAVAILABLE', message: 'queue engine is unavailable' });
      expect(await gateway.ask('GET', '/jobs', tenant.key)).toMatchObject({ status: 200 });
    } finally {
      await gateway.stop();
    }
  });
});
