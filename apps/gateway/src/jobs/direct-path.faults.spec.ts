import { createTenant, startRedis, type TestTenant, useDatabase } from '@spooled/testing';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

const database = useDatabase();
let tenant: TestTenant;

beforeAll(async () => void (tenant = await createTenant(database.superuserUrl)));

/** Enqueues, claims, completes and reads one job. */
async function runOneJob({ request }: TestGateway, queue_name: string) {
  const { key } = tenant;
  const created = await request('POST', '/jobs', key, { queue_name, payload: { deep: [1] } });
  const claimed = await request('POST', '/jobs/claim', key, { queue_name, worker_id: 'w1' });
  const { id, lease_id } = claimed.body.jobs[0];
  const completed = await request('POST', `/jobs/${id}/complete`, key, {
    worker_id: 'w1',
    lease_id,
    result: { ok: 1 },
  });
  const job = await request('GET', `/jobs/${id}`, key);
  return [created.status, completed.status, job.body.status, job.body.payload, job.body.result];
}

const completedJob = [201, 200, 'completed', { deep: [1] }, { ok: 1 }];

describe('without Redis', () => {
  it('BX-08 KF-15 jobs run to completion, and the gateway counts them', async () => {
    const gateway = await startGateway(database);
    try {
      expect(await runOneJob(gateway, 'none')).toEqual(completedJob);
      const metrics = await gateway.service.metrics.text();
      expect(metrics).toMatch(/^spooled_jobs_enqueued_total 1$/m);
      expect(metrics).toMatch(/^spooled_jobs_completed_total 1$/m);
      expect((await gateway.request('GET', '/dashboard', tenant.key)).body.system.cache_status).toBe('disabled');
    } finally {
      await gateway.stop();
    }
  });
});

describe('when Redis is down or no engine runs', () => {
  it('BX-08 jobs run to completion', async () => {
    const redis = await startRedis();
    const gateway = await startGateway(database, { redisUrl: redis.url });
    try {
      expect(await runOneJob(gateway, 'no-engine')).toEqual(completedJob);
      await redis.kill();
      expect(await runOneJob(gateway, 'no-redis')).toEqual(completedJob);
      const pause = await gateway.request('POST', '/queues/no-redis/pause', tenant.key);
      expect(pause).toMatchObject({ status: 200, body: { paused: true } });
    } finally {
      await gateway.stop();
      await redis.close();
    }
  });

  it('jobs are refused with 503 if ENGINE_PATH requires an engine', async () => {
    const gateway = await startGateway(database, {
      redisUrl: 'redis://127.0.0.1:1',
      isRedisUp: false,
      env: { ENGINE_PATH: 'transport' },
    });
    try {
      const response = await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'q', payload: {} });
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(response.body).toEqual({ code: 'SERVICE_UNAVAILABLE', message: 'queue engine is unavailable' });
      expect(await gateway.request('GET', '/jobs', tenant.key)).toMatchObject({ status: 200 });
    } finally {
      await gateway.stop();
    }
  });
});
