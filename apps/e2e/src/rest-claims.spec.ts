import { createTenant, eventually, fromNow, msUntil, needsRedis, mostWaitingClaims } from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { problem, RestCaller, type RestResponse } from './rest-caller.js';
import { useRestForEach } from './use-rest.js';

const { stack, tenant, rest, jobs } = useRestForEach();

it('SP-81 the status of a job is current at every gateway as soon as a change was answered', async () => {
  const queue = newQueue();
  const [here, there] = stack.baseUrls.map((url) => new JobSteps(new RestCaller(url, tenant.key)));
  for (let round = 0; round < 5; round++) {
    const id = await here!.create({ queue_name: queue });
    expect(await there!.statusOf(id)).toBe('pending');
    expect(await there!.claim(queue)).toMatchObject([{ id }]);
    expect(await here!.statusOf(id)).toBe('processing');
    expect(await rest.post(`/jobs/${id}/complete`, { worker_id: 'w1' })).toMatchObject({ status: 200 });
    expect(await there!.statusOf(id)).toBe('completed');
  }
});

describe('leases of workers that send heartbeats', () => {
  const claimNew = async (seconds: number) => {
    const queue_name = newQueue();
    await jobs.create({ queue_name });
    const [job] = await jobs.claim(queue_name, { lease_duration_secs: seconds });
    return { id: job!.id!, lease_expires_at: job!.lease_expires_at!, queue_name };
  };
  const beat = (id: string, seconds: number) =>
    rest.post(`/jobs/${id}/heartbeat`, { worker_id: 'w1', lease_duration_secs: seconds });
  const renewals = async (answeredBy: string) => {
    const text = await stack.metrics('engine');
    return Number(
      new RegExp(`spooled_lease_renewals_total\\{answered_by="${answeredBy}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
    );
  };

  needsRedis('holds the renewed leases').it(
    'KF-08 KF-14 PB-22 a job stays with a worker while it sends heartbeats, mostly without a write, and is reclaimed when they stop',
    async () => {
      const { id, lease_expires_at, queue_name } = await claimNew(10);
      const claimedUntil = Date.parse(lease_expires_at);
      let end = '';
      // Repeated because a store that takes 0.1 s to answer is not asked for a second.
      await eventually(async () => {
        const before = { row: await renewals('row'), lease_store: await renewals('lease_store') };
        for (let beats = 0; beats < 6; beats++) {
          const response = await beat(id, 10);
          expect(response).toMatchObject({ status: 200, body: { success: true } });
          end = response.body.lease_expires_at;
        }
        const after = { row: await renewals('row'), lease_store: await renewals('lease_store') };
        expect(after.lease_store - before.lease_store).toBeGreaterThan(after.row - before.row);
      });
      expect(Date.parse(end)).toBeGreaterThan(claimedUntil);
      expect(await jobs.claim(queue_name)).toEqual([]);

      const [again] = await eventually(async () => {
        const claimed = await jobs.claim(queue_name, { worker_id: 'w2' });
        expect(claimed).toHaveLength(1);
        return claimed;
      });
      expect(again).toMatchObject({ id, retry_count: 1 });
      // Not before the expiry returned by the last heartbeat.
      expect(msUntil(end)).toBeLessThanOrEqual(0);
      expect(problem(await beat(id, 10))).toMatchObject({ status: 404 });
    },
  );
});

describe('a claim that waits', () => {
  const claim = (queue_name: string, more: object = {}, caller = rest): Promise<RestResponse> =>
    caller.post('/jobs/claim', { queue_name, worker_id: 'w1', wait_seconds: 30, ...more });
  const idsIn = ({ body }: RestResponse): string[] => body.jobs.map(({ id }: { id: string }) => id);

  /** Waiting claims at a gateway; default the first. */
  async function waiting(gateway = 0): Promise<number> {
    const text = await stack.metrics('gateway', gateway);
    return Number(/^spooled_live_streams\{kind="claim"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  }
  const untilWaiting = (count: number, gateway = 0) =>
    eventually(async () => expect(await waiting(gateway)).toBe(count));

  it('MQ-08 returns available jobs at once, and nothing at once without wait_seconds', async () => {
    const queue = newQueue();
    expect(idsIn(await claim(queue, { wait_seconds: 0 }))).toEqual([]);
    expect(idsIn(await claim(queue, { wait_seconds: null }))).toEqual([]);
    const id = await jobs.create({ queue_name: queue });
    expect(idsIn(await claim(queue))).toEqual([id]);
    expect(problem(await claim(queue, { wait_seconds: 31 }))).toMatchObject({
      status: 400,
      details: { wait_seconds: 'must be at most 30' },
    });
  });

  it('MQ-08 gets no more jobs than it requested', async () => {
    const queue = newQueue();
    const claimed = claim(queue, { limit: 2 });
    await untilWaiting(1);
    const { body } = await rest.post('/jobs/bulk', {
      queue_name: queue,
      jobs: [1, 2, 3].map((payload) => ({ payload })),
    });
    const created = (body.succeeded as { job_id: string }[]).map(({ job_id }) => job_id);
    expect(idsIn(await claimed)).toEqual(created.slice(0, 2));
    expect(idsIn(await claim(queue, { limit: 2 }))).toEqual(created.slice(2));
  });

  it('is woken by a new job on any gateway', async () => {
    const queue = newQueue();
    const atOtherGateway = new JobSteps(new RestCaller(stack.baseUrls[1]!, tenant.key));
    for (const producer of [jobs, atOtherGateway]) {
      const claimed = claim(queue);
      await untilWaiting(1);
      const id = await producer.create({ queue_name: queue });
      expect(idsIn(await claimed)).toEqual([id]);
    }
  });

  it('is woken when a job becomes due, is retried or released, a place becomes free, or its queue is resumed', async () => {
    const queue = newQueue();
    await rest.put(`/queues/${queue}/config`, { settings: { retry_strategy: 'fixed', retry_delay_ms: 200 } });
    const id = await jobs.create({ queue_name: queue, scheduled_at: fromNow(500).toISOString() });
    expect(idsIn(await claim(queue))).toEqual([id]);

    await rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'again' });
    expect(idsIn(await claim(queue))).toEqual([id]);

    const second = await jobs.create({ queue_name: queue });
    expect(idsIn(await claim(queue, { worker_id: 'w2' }))).toEqual([second]);
    const third = claim(queue);
    await untilWaiting(1);
    await rest.post(`/jobs/${second}/release`, { worker_id: 'w2' });
    expect(idsIn(await third)).toEqual([second]);

    await rest.put(`/queues/${queue}/config`, { settings: { concurrency: 2 } });
    const next = await jobs.create({ queue_name: queue });
    const fourth = claim(queue);
    await untilWaiting(1);
    await rest.post(`/jobs/${second}/complete`, { worker_id: 'w1' });
    expect(idsIn(await fourth)).toEqual([next]);
    const fifth = await jobs.create({ queue_name: queue });
    const raised = claim(queue);
    await untilWaiting(1);
    await rest.put(`/queues/${queue}/config`, { settings: { concurrency: 3 } });
    expect(idsIn(await raised)).toEqual([fifth]);
    await rest.put(`/queues/${queue}/config`, { settings: { concurrency: null } });

    await rest.post(`/queues/${queue}/pause`);
    const last = await jobs.create({ queue_name: queue });
    const paused = claim(queue);
    await untilWaiting(1);
    await rest.post(`/queues/${queue}/resume`);
    expect(idsIn(await paused)).toEqual([last]);
  });

  it('SP-21 shares new jobs with other waiting claims', async () => {
    const queue = newQueue();
    const claims = [claim(queue, { limit: 2 }), claim(queue, { limit: 2 }), claim(queue, { limit: 2 })];
    await untilWaiting(3);
    await rest.post('/jobs/bulk', { queue_name: queue, jobs: Array.from({ length: 6 }, () => ({ payload: {} })) });
    const responses = await Promise.all(claims);
    expect(responses.map((response) => idsIn(response).length)).toEqual([2, 2, 2]);
    expect(new Set(responses.flatMap(idsIn)).size).toBe(6);
  });

  it('returns nothing after its timeout', async () => {
    const response = await claim(newQueue(), { wait_seconds: 1 });
    expect([response.status, response.body, response.headers.get('retry-after')]).toEqual([200, { jobs: [] }, null]);
  });

  it('is rejected with Retry-After when too many claims wait', async () => {
    const queue = newQueue();
    const claims = Array.from({ length: mostWaitingClaims }, () => claim(queue));
    await untilWaiting(mostWaitingClaims);
    const rejected = await claim(queue);
    expect([rejected.body, rejected.headers.get('retry-after')]).toEqual([{ jobs: [] }, '1']);
    const other = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    const neighbour = claim(queue, { wait_seconds: 1 }, other);
    expect((await neighbour).headers.get('retry-after')).toBeNull();
    await rest.post('/jobs/bulk', { queue_name: queue, jobs: claims.map((_, n) => ({ payload: n })) });
    await Promise.all(claims);
    expect(idsIn(await claim(queue, { wait_seconds: 1 }))).toEqual([]);
  });

  it('BX-02 claims nothing for a caller that has disconnected', async () => {
    const queue = newQueue();
    const hangUp = new AbortController();
    const aborted = fetch(`${stack.baseUrl}/api/v1/jobs/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ queue_name: queue, worker_id: 'disconnected', wait_seconds: 30 }),
      signal: hangUp.signal,
    }).catch((error: Error) => error.name);
    await untilWaiting(1);
    hangUp.abort();
    expect(await aborted).toBe('AbortError');
    await untilWaiting(0);
    const id = await jobs.create({ queue_name: queue });
    expect(await jobs.statusOf(id)).toBe('pending');
    expect(idsIn(await claim(queue))).toEqual([id]);
  });

  it('ends when its key is revoked', async () => {
    const { body } = await rest.post('/api-keys', { name: 'worker' });
    const refused = claim(newQueue(), {}, new RestCaller(stack.baseUrl, body.key));
    await untilWaiting(1);
    await rest.delete(`/api-keys/${body.id}`);
    expect(problem(await refused)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});
