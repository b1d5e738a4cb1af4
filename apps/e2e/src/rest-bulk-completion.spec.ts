import { randomUUID } from 'node:crypto';
import { createTenant, startStack, type Stack, type TestTenant } from '@spooled/testing';
import { JobSteps, newQueue } from './job-steps.js';
import { anId, problem, RestCaller } from './rest-caller.js';

let stack: Stack;
let tenant: TestTenant;
let rest: RestCaller;
let jobs: JobSteps;

beforeAll(async () => {
  stack = await startStack({ schedulers: 0, webhooks: 0, realtime: 0 });
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  jobs = new JobSteps(rest);
}, 60_000);
afterAll(() => stack?.stop());

const complete = (items: object[], caller = rest) =>
  caller.post('/jobs/complete/bulk', { worker_id: 'w1', jobs: items });

/** Creates `count` jobs and claims them as `w1`. */
async function held(count: number, queue_name = newQueue()): Promise<{ job_id: string; lease_id: string }[]> {
  await rest.post('/jobs/bulk', { queue_name, jobs: Array.from({ length: count }, () => ({ payload: {} })) });
  const claimed = await jobs.claim(queue_name, { limit: count });
  return claimed.map(({ id, lease_id }) => ({ job_id: id!, lease_id: lease_id! }));
}

describe('completing jobs in bulk', () => {
  it('BX-10 SP-101 completes 100 jobs in one request, with results in order', async () => {
    const items = (await held(100)).map((item, n) => ({ ...item, result: { n, text: 'a\0b' } }));
    const response = await complete(items);
    expect([response.status, response.body]).toEqual([
      200,
      {
        results: items.map(({ job_id }) => ({ success: true, job_id })),
        total: 100,
        success_count: 100,
        failure_count: 0,
      },
    ]);
    const last = items.at(-1)!;
    expect((await rest.get(`/jobs/${last.job_id}`)).body).toMatchObject({ status: 'completed', result: last.result });
  });

  it('SP-25 returns for each job the same result as a single completion', async () => {
    const [done, mismatch, ended, tooLarge, byName] = (await held(5)) as { job_id: string; lease_id: string }[];
    await rest.post(`/jobs/${ended!.job_id}/complete`, { worker_id: 'w1' });
    const waiting = await jobs.create();
    const { body } = await complete([
      done!,
      { ...mismatch, lease_id: randomUUID() },
      ended!,
      { ...tooLarge, result: 'x'.repeat(1_100_000) },
      { job_id: byName!.job_id.toUpperCase(), result: null },
      { job_id: waiting },
      { job_id: 'no uuid' },
      done!,
    ]);
    const outcomes = body.results.map(({ success, error }: { success: boolean; error?: { code: string } }) =>
      success ? 'done' : error!.code,
    );
    expect(outcomes).toEqual([
      'done',
      'LEASE_EXPIRED',
      'CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'done',
      'NOT_FOUND',
      'NOT_FOUND',
      'CONFLICT',
    ]);
    expect(body).toMatchObject({ total: 8, success_count: 2, failure_count: 6 });
    const alone = await rest.post(`/jobs/${ended!.job_id}/complete`, { worker_id: 'w1' });
    expect(body.results[2]).toEqual({ success: false, job_id: ended!.job_id, error: alone.body });
    expect(body.results[3].error).toMatchObject({ error: 'payload_too_large', limit: 1_048_576 });
    expect(await jobs.statusOf(mismatch!.job_id)).toBe('processing');
  });

  it('BX-01 changes no job of another organization, worker or queue', async () => {
    const [one, two] = [await held(1), await held(1)];
    const otherTenant = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('another'));
    for (const caller of [otherTenant, scoped]) {
      const { body } = await complete([...one, ...two], caller);
      expect(body).toMatchObject({ success_count: 0, failure_count: 2 });
      expect(body.results[0]).toEqual({
        success: false,
        job_id: anId,
        error: { code: 'NOT_FOUND', message: 'Job not found' },
      });
    }
    const other = await rest.post('/jobs/complete/bulk', { worker_id: 'w2', jobs: one });
    expect(other.body).toMatchObject({ failure_count: 1 });
    expect(await complete([...one, ...two])).toMatchObject({ body: { success_count: 2 } });
  });

  it('rejects the whole request only if it is malformed', async () => {
    const item = { job_id: randomUUID() };
    const tooMany = problem(await complete(Array.from({ length: 101 }, () => item)));
    expect(tooMany).toMatchObject({ status: 400, details: { jobs: 'must hold at most 100 jobs' } });
    expect(problem(await complete([]))).toMatchObject({ status: 400, details: { jobs: 'must hold at least one job' } });
    expect(problem(await complete([item, {}]))).toMatchObject({
      status: 422,
      details: { 'jobs[1].job_id': 'is required' },
    });
    const nameless = await rest.post('/jobs/complete/bulk', { jobs: [item] });
    expect(problem(nameless)).toMatchObject({ status: 422, details: { worker_id: 'is required' } });
  });
});
