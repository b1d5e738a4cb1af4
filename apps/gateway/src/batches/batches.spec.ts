import { createTenant, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway({ BATCH_MAX_JOBS: '5' });
const tenant = useTenantForEach(database);

const send = (method: 'GET' | 'POST', path: string, body?: object) => gateway.request(method, path, tenant.key, body);
const callback = (queue_name: string) => ({ queue_name, payload: { total: 'all' }, tags: { kind: 'callback' } });
const jobs = (count: number) => ({
  queue_name: 'import',
  jobs: Array.from({ length: count }, (_, i) => ({ payload: { i }, max_retries: 0 })),
});

async function create(body: object = {}): Promise<string> {
  const { status, body: batch } = await send('POST', '/batches', body);
  expect([status, batch]).toEqual([200, expect.objectContaining({ status: 'open', total_jobs: 0 })]);
  return batch.id as string;
}

/** Ends jobs in the order of their creation, each with its number as result. */
async function end(...how: ('complete' | 'fail')[]): Promise<void> {
  for (const act of how) {
    const claimed = await send('POST', '/jobs/claim', { queue_name: 'import', worker_id: 'w' });
    const [{ id, payload }] = claimed.body.jobs as [{ id: string; payload: { i: number } }];
    await send('POST', `/jobs/${id}/${act}`, {
      worker_id: 'w',
      ...(act === 'fail' ? { error: 'no' } : { result: payload.i }),
    });
  }
}

describe('batches', () => {
  it('show how their jobs have ended, with their results by page, and create their callbacks', async () => {
    const id = await create({
      name: 'Import',
      metadata: { source: 's3' },
      on_complete: callback('report'),
      on_death: callback('alarm'),
      on_success: callback('next'),
    });
    const added = await send('POST', `/batches/${id}/jobs`, jobs(4));
    expect([added.status, added.body]).toEqual([200, expect.objectContaining({ success_count: 4, failure_count: 0 })]);
    await end('complete', 'fail');
    await send('POST', '/jobs/claim', { queue_name: 'import', worker_id: 'w' });
    expect((await send('GET', `/batches/${id}`)).body).toEqual({
      id,
      name: 'Import',
      status: 'open',
      total_jobs: 4,
      pending_jobs: 1,
      running_jobs: 1,
      succeeded_jobs: 1,
      failed_jobs: 1,
      cancelled_jobs: 0,
      queue_names: ['alarm', 'next', 'report', 'import'],
      callbacks: ['on_success', 'on_complete', 'on_death'],
      callback_job_ids: { on_success: null, on_complete: null, on_death: expect.any(String) },
      metadata: { source: 's3' },
      created_at: expect.any(String),
      closed_at: null,
      completed_at: null,
    });
    const of = async (status: string) => (await send('GET', `/batches/${id}/jobs?status=${status}`)).body;
    expect(await of('succeeded')).toEqual([expect.objectContaining({ status: 'completed', result: 0, error: null })]);
    expect(await of('failed')).toEqual([expect.objectContaining({ status: 'deadletter', result: null, error: 'no' })]);
    expect((await of('unfinished')).map(({ status }: { status: string }) => status)).toEqual(['processing', 'pending']);
    const page = (await send('GET', `/batches/${id}/jobs?limit=3&cursor=`)).body;
    expect(page).toMatchObject({ has_more: true, data: [{ result: 0 }, { error: 'no' }, { status: 'processing' }] });
    const rest = (await send('GET', `/batches/${id}/jobs?limit=3&cursor=${page.next_cursor}`)).body;
    expect(rest).toMatchObject({ has_more: false, data: [{ status: 'pending' }] });

    const alarm = (await send('GET', '/jobs?queue_name=alarm')).body[0];
    const job = (await send('GET', `/jobs/${alarm.id}`)).body;
    expect(job).toMatchObject({
      batch_id: id,
      workflow_id: null,
      payload: { total: 'all' },
      tags: { kind: 'callback' },
    });
    const { body: timeline } = await send('GET', `/jobs/${alarm.id}/timeline`);
    expect(timeline.job).toMatchObject({ batch_id: id, workflow_id: null });
    const { body: history } = await send('GET', `/jobs/${alarm.id}/history`);
    expect(JSON.stringify(history)).toContain(`"batch_id":"${id}"`);
    expect(JSON.stringify(history)).not.toContain('workflow_id');
  });

  it('end with their close, and can be neither filled nor cancelled then', async () => {
    const id = await create({ on_success: callback('next') });
    await send('POST', `/batches/${id}/jobs`, jobs(1));
    await end('complete');
    expect((await send('POST', `/batches/${id}/close`)).body).toMatchObject({
      status: 'completed',
      succeeded_jobs: 1,
      callbacks: ['on_success'],
      callback_job_ids: { on_success: expect.any(String), on_complete: null, on_death: null },
    });
    expect((await send('POST', `/batches/${id}/close`)).body.status).toBe('completed');
    expect((await send('POST', `/batches/${id}/jobs`, jobs(1))).status).toBe(409);
    expect((await send('POST', `/batches/${id}/cancel`)).status).toBe(409);
    const claimed = await send('POST', '/jobs/claim', { queue_name: 'next', worker_id: 'w' });
    expect(claimed.body.jobs).toHaveLength(1);
    expect((await send('GET', '/batches?status=completed')).body).toHaveLength(1);
    expect((await send('GET', '/batches?status=open')).body).toEqual([]);
  });

  it('can be cancelled, and show the operation that cancels their jobs', async () => {
    const id = await create();
    await send('POST', `/batches/${id}/jobs`, jobs(2));
    expect((await send('POST', `/batches/${id}/cancel`)).body.status).toBe('cancelled');
    const [operation] = (await send('GET', '/operations')).body;
    expect(operation).toMatchObject({ kind: 'job.cancel', filter: { batch_id: id } });
  });

  it.each([
    [
      'jobs beyond the limit of the server',
      async (id: string) => send('POST', `/batches/${id}/jobs`, jobs(6)),
      409,
      '',
    ],
    [
      'callbacks that start at a time',
      () => send('POST', '/batches', { on_death: { ...callback('q'), scheduled_at: '2030-01-01T00:00:00Z' } }),
      400,
      'on_death.scheduled_at',
    ],
    [
      'callbacks with a misspelt name, which would never come',
      () => send('POST', '/batches', { on_sucess: callback('q') }),
      400,
      'on_sucess',
    ],
    [
      'callbacks with a misspelt member',
      () => send('POST', '/batches', { on_success: { ...callback('q'), prioriti: 5 } }),
      400,
      'on_success.prioriti',
    ],
    [
      'callbacks without a queue',
      () => send('POST', '/batches', { on_success: { payload: {} } }),
      422,
      'on_success.queue_name',
    ],
    [
      'callbacks with a receiver, in a queue for workers',
      () => send('POST', '/batches', { on_success: { ...callback('q'), callback_url: 'https://example.com/' } }),
      400,
      'on_success.callback_url',
    ],
  ])('refuse %s', async (_what, act, status, field) => {
    const response = await act(await create());
    expect([response.status, Object.keys(response.body.details ?? {})]).toEqual([status, field ? [field] : []]);
  });

  it('are refused by a plan without them', async () => {
    const customLimits = { max_open_batches: 0 };
    const { key } = await createTenant(database.superuserUrl, { plan: 'free', customLimits });
    const { status, body } = await gateway.request('POST', '/batches', key, {});
    expect([status, body]).toEqual([403, expect.objectContaining({ code: 'FEATURE_DISABLED' })]);
  });

  it('cannot be used by keys of other queues', async () => {
    const id = await create({ on_success: callback('next') });
    const { body: key } = await send('POST', '/api-keys', { name: 'scoped', queues: ['import'] });
    const scoped = (method: 'GET' | 'POST', path: string, body?: object) =>
      gateway.request(method, path, key.key as string, body);
    const empty = await create();
    expect((await scoped('GET', '/batches')).body).toEqual([]);
    expect((await scoped('GET', `/batches/${empty}`)).status).toBe(403);
    const { body: own } = await scoped('POST', '/batches', {});
    expect(own.queue_names).toEqual(['import']);
    expect((await scoped('POST', `/batches/${own.id}/close`)).status).toBe(200);
    expect((await scoped('GET', '/batches')).body).toHaveLength(1);
    for (const [method, path, body] of [
      ['GET', `/batches/${id}`],
      ['GET', `/batches/${id}/jobs`],
      ['POST', `/batches/${id}/jobs`, jobs(1)],
      ['POST', `/batches/${id}/close`],
      ['POST', `/batches/${id}/cancel`],
      ['POST', '/batches', { on_death: callback('next') }],
    ] as const) {
      expect([path, (await scoped(method, path, body)).status]).toEqual([path, 403]);
    }
  });
});
