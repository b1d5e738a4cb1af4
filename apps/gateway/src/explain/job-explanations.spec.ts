import { randomUUID } from 'node:crypto';
import { createTenant, eventually, fromNow, msUntil } from '@spooled/testing';
import { useExplain } from './explain.fixture.js';

const fixture = useExplain();

const inAnHour = () => fromNow(3_600_000).toISOString();
const time = expect.any(String) as unknown as string;
/** Codes of the reasons, in order. */
const codes = ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code);

describe('BX-04 the explanation of a job', () => {
  it('BX-04 says that nothing holds it back', async () => {
    await fixture.register('free');
    const id = await fixture.create('free');
    expect(await fixture.job(id)).toEqual({
      job_id: id,
      queue_name: 'free',
      status: 'pending',
      since: time,
      reasons: [
        {
          code: 'ready',
          message: 'Nothing holds the job back: the next claim of its queue gets it.',
          since: time,
          until: null,
          details: {},
        },
      ],
      position: 0,
      estimate: null,
      not_checked: [],
      checked_at: time,
    });
  });

  it('BX-04 step: what the handler of the job waits for', async () => {
    const id = await fixture.create('steps');
    await fixture.claim('steps');
    const wait = { worker_id: 'w1', step: 'approval', wait_for: 'signal', wait_ms: 3_600_000 };
    await fixture.send('POST', `/jobs/${id}/wait`, wait);
    const explained = await fixture.job(id);
    expect(explained).toMatchObject({
      status: 'scheduled',
      reasons: [{ code: 'step', details: { step: 'approval', waits_for: 'signal', deadline: time } }],
    });
    expect(explained.reasons[0]!.message).toMatch(
      /^The job waits for the signal "approval", until .*Z at the latest\.$/,
    );
    await fixture.send('POST', `/jobs/${id}/signals`, { step: 'approval', payload: 'yes' });
    expect(await fixture.job(id)).toMatchObject({ status: 'pending' });
  });

  it('BX-04 scheduled: until when, with a pause that would hold it then', async () => {
    const at = inAnHour();
    const id = await fixture.create('later', { scheduled_at: at });
    const explained = await fixture.job(id);
    expect(explained).toMatchObject({ status: 'scheduled', position: null });
    expect(explained.reasons).toEqual([
      {
        code: 'scheduled',
        message: `The job is scheduled for ${at.slice(0, 19)}Z.`,
        since: time,
        until: time,
        details: { scheduled_at: time },
      },
    ]);
    expect(Date.parse(explained.estimate!.starts_at)).toBe(Date.parse(at));
    await fixture.send('POST', '/queues/later/pause');
    const paused = await fixture.job(id);
    expect([codes(paused), paused.estimate]).toEqual([['scheduled', 'queue_paused'], null]);
  });

  it('BX-04 a job that is due and not activated yet can be claimed', async () => {
    await fixture.register('due');
    const id = await fixture.create('due', { scheduled_at: inAnHour() });
    await fixture.sql(`UPDATE job_queue SET due_at = now() - interval '1 second' WHERE job_id = $1`, id);
    const { status, reasons, position } = await fixture.job(id);
    expect([status, position]).toEqual(['scheduled', null]);
    expect(reasons).toMatchObject([{ code: 'ready', message: expect.stringMatching(/due since .* next claim/) }]);
  });

  it('BX-04 retry_backoff: which attempt comes when, and why the last one failed', async () => {
    const id = await fixture.create('retried', { max_retries: 3 });
    await fixture.claim('retried');
    await fixture.send('POST', `/jobs/${id}/fail`, { worker_id: 'w1', error: 'smtp says no' });
    const at = inAnHour();
    await fixture.sql('UPDATE job_queue SET due_at = $2 WHERE job_id = $1', id, at);
    const { status, reasons, estimate } = await fixture.job(id);
    expect(status).toBe('pending');
    expect(reasons).toMatchObject([
      {
        code: 'retry_backoff',
        message: `Attempt 1 failed; attempt 2 of 4 may start at ${at.slice(0, 19)}Z.`,
        details: { next_attempt: 2, max_attempts: 4, last_error: 'smtp says no' },
      },
    ]);
    expect(Date.parse(estimate!.starts_at)).toBe(Date.parse(at));
  });

  it('BX-04 dependencies: the parents that have not completed, and to a scoped key only those it may see', async () => {
    const [seen, hidden, done] = [
      await fixture.create('parents'),
      await fixture.create('other-parents'),
      await fixture.create('done-parents'),
    ];
    await fixture.claim('done-parents');
    const id = await fixture.create('children');
    await fixture.send('POST', `/jobs/${id}/dependencies`, { depends_on: [seen, hidden, done] });
    await fixture.send('POST', `/jobs/${done}/complete`, { worker_id: 'w1' });
    await fixture.send('POST', '/queues/parents/pause');
    const { reasons, estimate, position } = await fixture.job(id);
    expect([estimate, position]).toEqual([null, null]);
    const paused = { code: 'queue_paused', message: expect.stringMatching(/^The queue is paused since/) };
    expect(reasons).toEqual([
      {
        code: 'dependencies',
        message: expect.stringMatching(
          /^The job needs all of its parents to complete; 2 of 3 have not\. Of its parent \S+: (The queue is paused|No worker)/,
        ),
        since: time,
        until: null,
        details: {
          mode: 'all',
          total: 3,
          unfinished: 2,
          hidden: 0,
          parents: expect.arrayContaining([
            { job_id: seen, queue_name: 'parents', status: 'pending', reason: paused },
            {
              job_id: hidden,
              queue_name: 'other-parents',
              status: 'pending',
              reason: { code: 'no_workers', message: expect.any(String) },
            },
          ]),
        },
      },
    ]);
    const scoped = await fixture.job(id, await fixture.tenant.keyFor('children', 'parents'));
    expect(scoped.reasons).toMatchObject([
      { details: { unfinished: 2, hidden: 1, parents: [{ job_id: seen, queue_name: 'parents' }] } },
    ]);
    expect(JSON.stringify(scoped)).not.toContain('other-parents');
  });

  it('BX-04 dependencies: what the first five parents wait for', async () => {
    const parents: string[] = [];
    for (let n = 0; n < 6; n++) parents.push(await fixture.create('six'));
    const grandparent = await fixture.create('six');
    await fixture.send('POST', `/jobs/${parents[0]}/dependencies`, { depends_on: [grandparent] });
    const id = await fixture.create('of-six');
    await fixture.send('POST', `/jobs/${id}/dependencies`, { depends_on: parents });
    const { reasons } = await fixture.job(id);
    const shown = reasons.flatMap((one) => (one.code === 'dependencies' ? one.details.parents : []));
    expect(shown.map(({ reason }) => reason !== null)).toEqual([true, true, true, true, true, false]);
    // What the parents of a parent wait for is in its own explanation.
    expect(shown.find(({ job_id }) => job_id === parents[0])?.reason ?? { code: 'dependencies' }).toMatchObject({
      code: 'dependencies',
    });
  });

  it('BX-04 behind: its place by the order of claims, and an estimate with its basis', async () => {
    const low = await fixture.create('line', { priority: -1 });
    const first = await fixture.create('line');
    const second = await fixture.create('line');
    const urgent = await fixture.create('line', { priority: 5 });
    const blocked = await fixture.create('line', { priority: 9 });
    await fixture.send('POST', `/jobs/${blocked}/dependencies`, { depends_on: [low] });
    await fixture.register('line');
    const positions = async () =>
      Promise.all([urgent, first, second, low].map(async (id) => (await fixture.job(id)).position));
    expect(await positions()).toEqual([0, 1, 2, 3]);
    expect((await fixture.job(low)).estimate).toBeNull();
    expect((await fixture.job(first)).reasons).toEqual([
      {
        since: (await fixture.job(first)).since,
        until: null,
        code: 'behind',
        message: '1 job of the queue is claimed before it: higher priority, or the same and older.',
        details: { jobs_ahead: 1 },
      },
    ]);
    await fixture.record('line', { completed: 360 });
    const { estimate, checked_at } = await fixture.job(low);
    expect(estimate!.basis).toMatch(/^3 jobs ahead; 360 attempts ended in the last hour/);
    expect(Date.parse(estimate!.starts_at) - Date.parse(checked_at)).toBe(30_000);
    expect(await fixture.claim('line')).toEqual([urgent]);
    expect((await positions()).slice(1)).toEqual([0, 1, 2]);
  });

  it('BX-04 behind more than 10,000 jobs: counted no further, and no estimate', async () => {
    await fixture.register('long');
    await fixture.sql(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
       SELECT uuidv7(), $1, now(), 'ready', i % 2, 3, 'long' FROM generate_series(1, 12000) AS i`,
      fixture.tenant.organizationId,
    );
    await fixture.record('long', { completed: 360 });
    const id = await fixture.create('long');
    const { position, estimate, reasons } = await fixture.job(id);
    expect([position, estimate]).toEqual([10_001, null]);
    expect(reasons).toMatchObject([
      { message: expect.stringMatching(/^More than 10,000 jobs of the queue are claimed/) },
    ]);
  });

  it('BX-04 expires and expired', async () => {
    await fixture.register('brief');
    const expires_at = inAnHour();
    const id = await fixture.create('brief', { expires_at });
    const { reasons } = await fixture.job(id);
    expect(codes({ reasons })).toEqual(['ready', 'expires']);
    expect(Date.parse(reasons[1]!.until!)).toBe(Date.parse(expires_at));
    await fixture.sql(`UPDATE job_queue SET expires_at = now() - interval '1 second' WHERE job_id = $1`, id);
    const expired = await fixture.job(id);
    expect(expired).toMatchObject({ status: 'pending', estimate: null, position: null });
    expect(expired.reasons).toMatchObject([
      { code: 'expired', message: expect.stringMatching(/before it started; it is cancelled shortly\.$/) },
    ]);
  });

  it('BX-04 running: worker, attempt, timeout, and the lease with its renewals in Redis', async () => {
    const id = await fixture.create('busy', { timeout_seconds: 86_400, max_retries: 1 });
    await fixture.claim('busy', { lease_duration_secs: 60 });
    const claimed = await fixture.job(id);
    expect(claimed).toMatchObject({ status: 'processing', position: null, estimate: null });
    expect(claimed.reasons).toEqual([
      {
        code: 'running',
        message: expect.stringMatching(
          /^Worker w1 has been running attempt 1 of 2 since \S+Z; its lease lasts until \S+Z/,
        ),
        since: time,
        until: time,
        details: { worker_id: 'w1', attempt: 1, max_attempts: 2, lease_expires_at: time, timeout_seconds: 86_400 },
      },
    ]);
    await fixture.send('POST', `/jobs/${id}/heartbeat`, { worker_id: 'w1', lease_duration_secs: 3_600 });
    const msLeft = async () => msUntil((await fixture.job(id)).reasons[0]!.until!);
    await eventually(async () => expect(await msLeft()).toBeGreaterThan(1_800_000));
    await fixture.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 minute' WHERE job_id = $1`, id);
    await eventually(async () => expect(await msLeft()).toBeGreaterThan(1_800_000));

    const lost = await fixture.create('lost');
    await fixture.claim('lost');
    await fixture.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 minute' WHERE job_id = $1`, lost);
    expect((await fixture.job(lost)).reasons).toMatchObject([
      { message: expect.stringMatching(/its lease ended at \S+Z, so the attempt fails shortly/) },
    ]);
  });

  it('BX-04 finished and dead_letter: the outcome and since when', async () => {
    const [completed, cancelled, dead] = [
      await fixture.create('ends'),
      await fixture.create('cancelled'),
      await fixture.create('dies', { max_retries: 0 }),
    ];
    await fixture.claim('ends');
    await fixture.send('POST', `/jobs/${completed}/complete`, { worker_id: 'w1' });
    await fixture.send('DELETE', `/jobs/${cancelled}`);
    await fixture.claim('dies');
    await fixture.send('POST', `/jobs/${dead}/fail`, { worker_id: 'w1', error: 'boom' });
    expect(await fixture.job(completed)).toMatchObject({
      status: 'completed',
      since: time,
      reasons: [{ code: 'finished', since: time, details: { outcome: 'completed' } }],
      position: null,
      estimate: null,
    });
    expect((await fixture.job(cancelled)).reasons).toMatchObject([{ details: { outcome: 'cancelled' } }]);
    expect(await fixture.job(dead)).toMatchObject({
      status: 'deadletter',
      reasons: [
        {
          code: 'dead_letter',
          message: expect.stringMatching(/^The job is a dead letter since \S+Z: 1 attempt failed\.$/),
          details: { attempts: 1, last_error: 'boom' },
        },
      ],
    });
  });
});

describe('access to the explanation of a job', () => {
  it('BX-04 BX-01 is 404 for other organizations, unknown ids, and keys of other queues', async () => {
    const id = await fixture.create('private');
    const statusOf = async (path: string, key: string) => (await fixture.gateway.request('GET', path, key)).status;
    const other = await createTenant(fixture.database.superuserUrl);
    expect(await statusOf(`/jobs/${id}/explain`, other.key)).toBe(404);
    expect(await statusOf(`/jobs/${id}/explain`, await fixture.tenant.keyFor('other'))).toBe(404);
    expect(await statusOf(`/jobs/${id}/explain`, await fixture.tenant.keyFor('private'))).toBe(200);
    expect(await statusOf(`/jobs/${randomUUID()}/explain`, fixture.tenant.key)).toBe(404);
    expect(await statusOf('/jobs/nonsense/explain', fixture.tenant.key)).toBe(404);
  });
});
