import { randomUUID } from 'node:crypto';
import { useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

// Requests that are made at once wait for each other.
const { database, gateway } = useGateway({ DATABASE_ACQUIRE_TIMEOUT_SECS: '60' });
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

const api = {
  post: (path: string, body: object = {}, key = tenant.key) => gateway.request('POST', path, key, body),
  get: (path: string, key = tenant.key) => gateway.request('GET', path, key),
};

/** A job that fails for good. */
async function die(queue_name: string, payload: object = {}): Promise<string> {
  const { body } = await api.post('/jobs', { queue_name, payload, max_retries: 0 });
  await api.post('/jobs/claim', { queue_name, worker_id: 'w' });
  await api.post(`/jobs/${body.id}/fail`, { worker_id: 'w', error: 'broken' });
  return body.id as string;
}

/** As many jobs as cannot be searched within a request. */
async function addHistory(): Promise<void> {
  await superuser.query(
    `INSERT INTO job_stats (organization_id, queue_name, hour, slot, created) VALUES ($1, 'other', 'epoch', -1, 1000000)`,
    [tenant.organizationId],
  );
}

describe('operations', () => {
  it('BX-06 BX-15 of a dry run count and show the jobs with their payloads after the patch, and change nothing', async () => {
    const job_id = await die('mail', { to: 'x', n: 1 });
    await die('mail');
    const replay = { queue_name: 'mail', payload_patch: { to: 'y' }, dry_run: true };
    const { status, body } = await api.post('/jobs/dlq/replays', replay);
    expect([status, body.dry_run, body.count, body.has_more, body.sample.length]).toEqual([200, true, 2, false, 2]);
    const shown = { job_id, queue_name: 'mail', job_type: '', error: 'broken', problem: null };
    expect(body.sample[0]).toEqual({ ...shown, payload: { to: 'y', n: 1 } });
    const purge = await api.post('/jobs/dlq/purges', { job_ids: [job_id, 'nonsense'], dry_run: true, confirm: false });
    expect([purge.status, purge.body]).toEqual([
      200,
      { dry_run: true, as_of: expect.any(String), count: 1, has_more: false, sample: [{ ...shown, payload: null }] },
    ]);
    await api.post('/jobs', { queue_name: 'mail', payload: {} });
    const cancel = await api.post('/jobs/cancellations', { queue_name: 'mail', dry_run: true });
    expect([cancel.status, cancel.body.count]).toEqual([200, 1]);
    const later = { queue_name: 'mail', status: 'scheduled', dry_run: true };
    expect((await api.post('/jobs/cancellations', later)).body.count).toBe(0);
    expect((await api.post('/jobs/cancellations', { ...later, status: 'completed' })).status).toBe(400);
    expect((await api.get('/operations')).body).toEqual([]);
    expect((await api.get('/jobs/dlq')).body).toHaveLength(2);
  });

  it('BX-06 take no dead letter that died after the dry run, if they name its time', async () => {
    await die('mail');
    const filter = { queue_name: 'mail' };
    const { body } = await api.post('/jobs/dlq/replays', { ...filter, dry_run: true });
    await die('mail');
    const again = await api.post('/jobs/dlq/replays', { ...filter, dead_before: body.as_of, dry_run: true });
    expect([body.count, again.body.count]).toEqual([1, 1]);
  });

  it('BX-15 are listed with their progress, and cancelled once', async () => {
    await die('mail');
    const replay = await api.post('/jobs/dlq/replays', { queue_name: 'mail', per_second: 10, payload_patch: { a: 1 } });
    expect([replay.status, replay.body]).toEqual([
      202,
      {
        id: expect.any(String),
        kind: 'deadletter.replay',
        state: 'pending',
        queues: ['mail'],
        filter: { queue_name: 'mail' },
        options: { per_second: 10, max_payload_bytes: expect.any(Number) },
        payload_patch: { a: 1 },
        total: 1,
        processed: 0,
        refused: 0,
        waiting: 0,
        succeeded: 0,
        failed: 0,
        ended_otherwise: 0,
        reason: null,
        actor: { kind: 'key', id: expect.any(String), name: 'spec' },
        created_at: expect.any(String),
        starts_at: null,
        started_at: null,
        ended_at: null,
      },
    ]);
    const { id } = replay.body;
    expect((await api.get(`/operations/${id}`)).body).toEqual({
      ...replay.body,
      lists_jobs: true,
      refused_jobs: [],
      failed_jobs: [],
    });
    const purge = await api.post('/jobs/dlq/purges', { all: true, confirm: true });
    expect(purge.status).toBe(202);
    const page = await api.get('/operations?limit=1');
    expect([page.headers['x-has-more'], page.body]).toEqual(['true', [purge.body]]);
    expect((await api.get('/operations?kind=deadletter.replay')).body).toEqual([replay.body]);
    expect((await api.get('/operations?state=running')).body).toEqual([]);

    const cancelled = await api.post(`/operations/${id}/cancel`);
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { id, state: 'cancelled' }]);
    // A second click, or a retry after a lost response, does not hear that it came too late.
    expect(await api.post(`/operations/${id}/cancel`)).toMatchObject({ status: 200, body: cancelled.body });
    expect((await api.get('/audit?action=operation.updated')).body).toHaveLength(1);
    await superuser.query(
      `UPDATE operations SET state = 'completed', started_at = created_at, ended_at = created_at, processed = 3, refused = 1 WHERE id = $1`,
      [purge.body.id],
    );
    expect(await api.post(`/operations/${purge.body.id}/cancel`)).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        message: 'The operation is completed: what it has changed stays changed (jobs: 2)',
      },
    });
    expect((await api.post(`/operations/${randomUUID()}/cancel`)).status).toBe(404);

    await gateway.request('DELETE', '/queues/mail?delete_jobs=true', tenant.key);
    await addHistory();
    await die('large');
    expect((await gateway.request('DELETE', '/queues/large?delete_jobs=true', tenant.key)).status).toBe(204);
    const [deletion] = (await api.get('/operations?kind=queue.delete')).body;
    expect(await api.post(`/operations/${deletion.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
  });

  it('BX-15 list the jobs that they have had by what became of them, in pages', async () => {
    const ids = [await die('mail'), await die('mail'), await die('mail')].sort();
    const { id } = (await api.post('/jobs/dlq/replays', { queue_name: 'mail' })).body;
    const [organization, states] = [tenant.organizationId, ['refused', 'failed', 'succeeded']];
    await superuser.query(
      `INSERT INTO operation_items (operation_id, organization_id, job_id, state, error)
       SELECT $1, $2, x.id, x.state, CASE x.state WHEN 'refused' THEN 'no' END FROM unnest($3::uuid[], $4::text[]) AS x (id, state)`,
      [id, organization, ids, states],
    );
    const rows = ids.map((job_id, i) => ({ job_id, outcome: states[i], error: ['no', 'broken', null][i] }));
    const jobs = (query: string) => api.get(`/operations/${id}/jobs${query}`);
    expect((await jobs('')).body).toEqual(rows);
    expect((await jobs('?outcome=changed')).body).toEqual(rows.slice(1));
    expect((await jobs('?outcome=refused')).body).toEqual(rows.slice(0, 1));
    const first = await jobs('?outcome=changed&limit=1&cursor=');
    expect(first.body).toMatchObject({ data: [rows[1]], has_more: true });
    const last = await jobs(`?outcome=changed&limit=1&cursor=${first.body.next_cursor}`);
    expect(last.body).toEqual({ data: [rows[2]], has_more: false, next_cursor: null });
    expect(await jobs('?outcome=lost')).toMatchObject({ status: 400 });
    expect((await api.get(`/operations/${randomUUID()}/jobs`)).status).toBe(404);

    const purge = await api.post('/jobs/dlq/purges', { all: true, confirm: true });
    expect(await api.get(`/operations/${purge.body.id}/jobs`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('deadletter.purge keeps no list of its jobs') },
    });
    expect((await api.get(`/operations/${purge.body.id}`)).body).toMatchObject({ lists_jobs: false });
  });

  it('BX-06 that stop by a rule go in stages, also when none are named', async () => {
    const stagesOf = async (body: object) =>
      (await api.post('/jobs/dlq/replays', { all: true, ...body })).body.options.stages;
    const implied = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
    for (const stages of [undefined, null, []]) {
      expect(await stagesOf({ max_failure_share: 0.1, min_ended: 5, stages })).toEqual(implied);
    }
    expect(await stagesOf({ max_failure_share: 0, per_second: 1 })).toEqual(implied);
    expect(await stagesOf({ max_failure_share: 0.1, stages: [3] })).toEqual([3]);
    expect(await stagesOf({})).toBeUndefined();
  });

  it('BX-15 are held on request, shown as such, and undone by their cancellation', async () => {
    await die('mail');
    const held = async (path: string, body: object) => (await api.post(path, { ...body, hold_seconds: 600 })).body;
    const purge = await held('/jobs/dlq/purges', { all: true, confirm: true });
    const replay = await held('/jobs/dlq/replays', { all: true });
    const cancellation = await held('/jobs/cancellations', { queue_name: 'mail' });
    for (const operation of [purge, replay, cancellation]) {
      expect(operation).toMatchObject({ state: 'held', started_at: null });
      const seconds = (Date.parse(operation.starts_at) - Date.parse(operation.created_at)) / 1000;
      expect(seconds).toBeCloseTo(600, 0);
      expect((await api.get(`/operations/${operation.id}`)).body).toMatchObject({
        ...operation,
        refused_jobs: [],
        failed_jobs: [],
      });
    }
    expect((await api.get('/operations?state=held')).body).toHaveLength(3);
    expect((await api.get('/operations?state=pending')).body).toEqual([]);
    const { body: undone } = await api.post(`/operations/${purge.id}/cancel`);
    expect(undone).toMatchObject({
      state: 'cancelled',
      processed: 0,
      started_at: null,
      reason: 'Cancelled before it began: nothing was changed',
    });
    expect((await api.post(`/operations/${purge.id}/cancel`)).body).toEqual(undone);
    expect((await api.get('/operations?state=held')).body).toHaveLength(2);
    expect((await api.get('/jobs/dlq')).body).toHaveLength(1);
    const atOnce = await api.post('/jobs/dlq/replays', { all: true, hold_seconds: 0 });
    expect(atOnce.body).toMatchObject({ state: 'pending', starts_at: null });
    for (const hold_seconds of [-1, 3_601]) {
      const refused = await api.post('/jobs/dlq/replays', { all: true, hold_seconds });
      expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['hold_seconds']]);
    }
  });

  it('BX-15 count the jobs of a queue before its deletion, which is held on request and undone', async () => {
    await die('mail');
    await api.post('/jobs', { queue_name: 'mail', payload: {} });
    const preview = await api.post('/queues/mail/deletions', { dry_run: true });
    const counts = (await api.get('/jobs/stats?queue_name=mail')).body;
    expect(counts).toMatchObject({ pending: 1, deadletter: 1, total: 2 });
    expect([preview.status, preview.body]).toEqual([200, { dry_run: true, queue_name: 'mail', count: 2, counts }]);
    expect((await api.get('/operations')).body).toEqual([]);

    const held = await api.post('/queues/mail/deletions', { hold_seconds: 600 });
    expect([held.status, held.body]).toMatchObject([
      202,
      { kind: 'queue.delete', state: 'held', queues: ['mail'], total: 2, started_at: null },
    ]);
    expect((await api.get('/queues/mail')).status).toBe(200);
    const undone = await api.post(`/operations/${held.body.id}/cancel`);
    expect([undone.status, undone.body]).toMatchObject([200, { state: 'cancelled', started_at: null }]);
    expect((await api.get('/jobs/stats?queue_name=mail')).body).toEqual(counts);

    for (const body of [{ dry_run: true }, {}]) {
      expect((await api.post('/queues/unknown/deletions', body)).status).toBe(404);
      expect((await api.post('/queues/mail/deletions', body, await tenant.keyFor('bills'))).status).toBe(403);
      expect((await api.post('/queues/mail/deletions', body, await tenant.keyAs('viewer'))).status).toBe(403);
    }
    expect((await api.post('/queues/mail/deletions', { hold_seconds: 3_601 })).status).toBe(400);
  });

  it('BX-15 of a scoped key touch and show its queues only', async () => {
    await die('mail');
    await die('bills');
    const scoped = await tenant.keyFor('mail');
    expect((await api.post('/jobs/dlq/replays', { queue_name: 'bills' }, scoped)).status).toBe(403);
    const dryRun = await api.post('/jobs/dlq/replays', { all: true, dry_run: true }, scoped);
    expect(dryRun.body).toMatchObject({ count: 1, sample: [{ queue_name: 'mail' }] });
    const own = await api.post('/jobs/dlq/replays', { all: true }, scoped);
    expect(own.body).toMatchObject({ queues: ['mail'], total: 1 });
    const all = await api.post('/jobs/dlq/replays', { all: true });
    const bills = await api.post('/jobs/dlq/replays', { queue_name: 'bills' });
    const ids = (await api.get('/operations', scoped)).body.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([own.body.id]);
    for (const { body } of [all, bills]) {
      expect((await api.get(`/operations/${body.id}`, scoped)).status).toBe(404);
      expect((await api.get(`/operations/${body.id}/jobs`, scoped)).status).toBe(404);
      expect((await api.post(`/operations/${body.id}/cancel`, {}, scoped)).status).toBe(404);
    }
  });

  it('BX-15 move jobs between queues that the key may use, and show what cannot be moved', async () => {
    const schema = { type: 'object', required: ['to'] };
    expect((await gateway.request('PUT', '/queues/bills/payload-contract', tenant.key, { schema })).status).toBe(200);
    const good = (await api.post('/jobs', { queue_name: 'mail', payload: { to: 'x' } })).body.id;
    const bad = (await api.post('/jobs', { queue_name: 'mail', payload: {} })).body.id;
    const move = { job_ids: [good, bad], to_queue: 'bills' };
    const { body: preview } = await api.post('/jobs/moves', { ...move, dry_run: true });
    expect([preview.count, preview.has_more]).toEqual([2, false]);
    const problems = preview.sample.map(({ job_id, problem }: { job_id: string; problem: string | null }) => [
      job_id,
      problem,
    ]);
    expect(Object.fromEntries(problems)).toEqual({ [good]: null, [bad]: expect.stringContaining('to') });

    const scoped = await tenant.keyFor('mail');
    for (const body of [move, { ...move, dry_run: true }, { queue_name: 'mail', to_queue: 'bills' }])
      expect((await api.post('/jobs/moves', body, scoped)).status).toBe(403);
    const intoOwn = { queue_name: 'bills', to_queue: 'mail' };
    expect((await api.post('/jobs/moves', intoOwn, scoped)).status).toBe(403);
    for (const path of ['/jobs/moves', '/jobs/payload-patches', '/jobs/deletions']) {
      const body = { job_ids: [good], to_queue: 'x', payload_patch: {}, confirm: true };
      expect((await api.post(path, body, await tenant.keyAs('viewer'))).status).toBe(403);
    }
    // No claim could name it.
    for (const to_queue of ['a b', '-x', '..', 'a/b', '*', '\u202email'])
      expect((await api.post('/jobs/moves', { queue_name: 'mail', to_queue })).body.details).toEqual({
        to_queue: expect.stringContaining('may hold letters'),
      });
    const same = await api.post('/jobs/moves', { queue_name: 'mail', to_queue: 'mail' });
    expect([same.status, Object.keys(same.body.details)]).toEqual([400, ['to_queue']]);

    const { body: begun } = await api.post('/jobs/moves', { ...move, queue_name: 'mail' });
    expect(begun).toMatchObject({
      kind: 'job.move',
      queues: ['mail', 'bills'],
      total: 2,
      filter: { job_ids: [good, bad] },
    });
    expect((await api.get(`/operations/${begun.id}`, scoped)).status).toBe(404);
    const elsewhere = await tenant.keyFor('bills');
    const others = await api.post('/jobs/deletions', { job_ids: [good], dry_run: true, confirm: false }, elsewhere);
    expect(others.body).toMatchObject({ count: 0, sample: [] });
  });

  it('BX-15 show payloads after a patch, and delete jobs only when that is confirmed', async () => {
    const { id } = (await api.post('/jobs', { queue_name: 'mail', payload: { n: 1, to: 'x' } })).body;
    const patch = { queue_name: 'mail', payload_patch: { to: null, cc: 'y' }, dry_run: true };
    expect((await api.post('/jobs/payload-patches', patch)).body).toMatchObject({
      count: 1,
      sample: [{ job_id: id, problem: null, payload: { n: 1, cc: 'y' } }],
    });
    const large = { ...patch, payload_patch: { text: 'x'.repeat(15_000) } };
    expect((await api.post('/jobs/payload-patches', large)).body.sample[0].problem).toBeNull();
    expect((await api.get(`/jobs/${id}`)).body.payload).toEqual({ n: 1, to: 'x' });
    expect((await api.post('/jobs/deletions', { queue_name: 'mail', confirm: false })).status).toBe(400);
    expect((await api.post('/jobs/deletions', { queue_name: 'mail', confirm: false, dry_run: true })).body.count).toBe(
      1,
    );
    const { body } = await api.post('/jobs/deletions', { queue_name: 'mail', confirm: true, hold_seconds: 60 });
    expect(body).toMatchObject({ kind: 'job.delete', state: 'held', total: 1 });
    expect((await api.post(`/operations/${body.id}/cancel`)).body.state).toBe('cancelled');
  });

  it('BX-15 are refused without confirmation, with a filter that makes no sense, and beyond 20 in progress', async () => {
    const problem = async (path: string, body: object) => {
      const response = await api.post(path, body);
      return [response.status, Object.keys(response.body.details ?? {})];
    };
    expect((await api.post('/jobs/dlq/purges', { all: true, confirm: false })).status).toBe(400);
    expect(await problem('/jobs/dlq/purges', { all: true })).toEqual([422, ['confirm']]);
    expect(await problem('/jobs/dlq/replays', { group_id: 'nonsense' })).toEqual([400, ['group_id']]);
    expect(await problem('/jobs/dlq/replays', { payload_patch: [1] })).toEqual([422, ['payload_patch']]);
    expect(await problem('/jobs/dlq/replays', { all: true, max_failure_share: 2 })).toEqual([
      400,
      ['max_failure_share'],
    ]);
    expect(await problem('/jobs/dlq/replays', { dead_before: 'yesterday' })).toEqual([400, ['dead_before']]);
    const asked = await Promise.all(Array.from({ length: 40 }, () => api.post('/jobs/dlq/replays', { all: true })));
    expect(asked.filter(({ status }) => status === 202)).toHaveLength(20);
    expect((await api.get('/operations?state=pending')).body).toHaveLength(20);
    expect(await api.post('/jobs/dlq/replays', { all: true })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
  });
});
