import { createTenant, eventually, needsRedis, type Stack, startStack } from '@spooled/testing';
import pg from 'pg';
import { JobSteps, newQueue } from './job-steps.js';
import { problem, RestCaller } from './rest-caller.js';

describe('leases of workers that send heartbeats', () => {
  let stack: Stack;
  let rest: RestCaller;
  let jobs: JobSteps;
  let superuser: pg.Client;

  beforeAll(async () => {
    stack = await startStack({ webhooks: 0, realtime: 0 });
    const tenant = await createTenant(stack.databaseUrls.superuserUrl);
    rest = new RestCaller(stack.baseUrl, tenant.key);
    jobs = new JobSteps(rest);
    superuser = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
    await superuser.connect();
  }, 120_000);
  afterAll(async () => {
    await superuser?.end();
    await stack?.stop();
  });

  const claimNew = async (seconds: number) => {
    const queue_name = newQueue();
    await jobs.create({ queue_name });
    const [job] = await jobs.claim(queue_name, { lease_duration_secs: seconds });
    return { id: job!.id!, lease_expires_at: job!.lease_expires_at!, queue_name };
  };
  const beat = (id: string, seconds: number) =>
    rest.post(`/jobs/${id}/heartbeat`, { worker_id: 'w1', lease_duration_secs: seconds });
  const renewals = async (answeredBy: string) => {
    const text = await (await fetch(`${stack.metricsUrl('engine')}/metrics`)).text();
    return Number(
      new RegExp(`spooled_lease_renewals_total\\{answered_by="${answeredBy}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
    );
  };

  needsRedis('holds the renewed leases').it(
    'KF-08 PB-22 a job stays with a worker while it sends heartbeats, mostly without a write, and is reclaimed when they stop',
    async () => {
      const { id, lease_expires_at, queue_name } = await claimNew(5);
      const before = { row: await renewals('row'), lease_store: await renewals('lease_store') };
      const claimedUntil = Date.parse(lease_expires_at);
      let end = claimedUntil;
      while (Date.now() < claimedUntil + 1000) {
        const response = await beat(id, 5);
        expect(response).toMatchObject({ status: 200, body: { success: true } });
        expect(Date.parse(response.body.lease_expires_at)).toBeGreaterThan(end);
        end = Date.parse(response.body.lease_expires_at);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect(await jobs.claim(queue_name)).toEqual([]);
      const after = { row: await renewals('row'), lease_store: await renewals('lease_store') };
      expect(after.lease_store - before.lease_store).toBeGreaterThan(after.row - before.row);

      const [again] = await eventually(
        async () => {
          const claimed = await jobs.claim(queue_name, { worker_id: 'w2' });
          expect(claimed).toHaveLength(1);
          return claimed;
        },
        { timeoutMs: 15_000 },
      );
      expect(again).toMatchObject({ id, retry_count: 1 });
      // Not before the expiry returned by the last heartbeat.
      expect(Date.now()).toBeGreaterThanOrEqual(end);
      expect(problem(await beat(id, 5))).toMatchObject({ status: 404 });
    },
    60_000,
  );

  it('SP-25 an attempt fails with a timeout when its `timeout_seconds` have passed, however often its worker renews', async () => {
    const queue_name = newQueue();
    const id = await jobs.create({ queue_name, timeout_seconds: 2 });
    const [{ lease_id }] = (await jobs.claim(queue_name, { lease_duration_secs: 60 })) as [{ lease_id: string }];
    const proof = { worker_id: 'w1', lease_id };
    const lost = await eventually(
      async () => {
        const response = await rest.post(`/jobs/${id}/heartbeat`, { ...proof, lease_duration_secs: 60 });
        expect(response.status).toBe(409);
        return response;
      },
      { timeoutMs: 15_000 },
    );
    expect(problem(lost)).toMatchObject({ code: 'LEASE_EXPIRED' });
    await eventually(async () => {
      const error = expect.stringContaining('timeout') as unknown;
      const failed = { status: 'pending', retry_count: 1, last_error: error, started_at: null, lease_id: null };
      expect((await rest.get(`/jobs/${id}`)).body).toMatchObject(failed);
    });
    expect(problem(await rest.post(`/jobs/${id}/complete`, proof))).toMatchObject({ code: 'LEASE_EXPIRED' });
  }, 30_000);

  needsRedis('holds the renewed leases').it(
    'KF-14 a lease that was extended only in Redis is valid for progress and completion',
    async () => {
      const { id } = await claimNew(60);
      await beat(id, 60);
      const expire = `UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`;
      await superuser.query(expire, [id]);
      expect(await rest.post(`/jobs/${id}/progress`, { worker_id: 'w1', progress: 50 })).toMatchObject({ status: 200 });
      await superuser.query(expire, [id]);
      expect(await rest.post(`/jobs/${id}/complete`, { worker_id: 'w1' })).toMatchObject({ status: 200 });
      expect(await jobs.statusOf(id)).toBe('completed');
      expect(problem(await beat(id, 60))).toMatchObject({ status: 409, code: 'CONFLICT' });
    },
  );
});
