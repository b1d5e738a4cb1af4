import { problemSchemas } from '@spooled/contracts';
import { PushShortages, ReceiverOutages } from '@spooled/transport';
import { eventually, fromNow } from '@spooled/testing';
import { startGateway } from '../gateway.fixture.js';
import { useExplain } from './explain.fixture.js';

const fixture = useExplain();

const inAnHour = () => fromNow(3_600_000).toISOString();
const time = expect.any(String) as unknown as string;

/** Codes of the reasons, in order. */
const codes = ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code);

describe('BX-04 the explanation of a job that its queue holds back', () => {
  it('BX-04 queue_paused: since when, and the reason', async () => {
    const id = await fixture.create('paused');
    await fixture.register('paused');
    const { paused_at } = await fixture.send('POST', '/queues/paused/pause', { reason: 'stock-taking' });
    const { reasons, estimate } = await fixture.job(id);
    const since = new Date(paused_at).toISOString();
    expect([reasons, estimate]).toEqual([
      [
        {
          code: 'queue_paused',
          message: `The queue is paused since ${since.slice(0, 19)}Z (stock-taking); claims get no jobs.`,
          since,
          until: null,
          details: { reason: 'stock-taking', paused_by: expect.objectContaining({ kind: 'key' }), expires_at: null },
        },
      ],
      null,
    ]);
  });

  it('BX-04 concurrency_limit: the limit and how many run', async () => {
    await fixture.configure('narrow', { settings: { concurrency: 1 } });
    const [, second] = [await fixture.create('narrow'), await fixture.create('narrow')];
    const [running] = await fixture.claim('narrow');
    expect((await fixture.job(second)).reasons).toEqual([
      {
        since: (await fixture.job(running!)).since,
        until: null,
        code: 'concurrency_limit',
        message: '1 job of this queue is running, and its limit is 1.',
        details: { limit: 1, running: 1 },
      },
    ]);
  });

  it('BX-04 rate_limit: the rate and when the next token comes, which asking does not take', async () => {
    await fixture.configure('rated', { rate_limit: 1 });
    await fixture.register('rated');
    const id = await fixture.create('rated');
    expect(codes(await fixture.job(id))).toEqual(['ready']);
    const bucket = await fixture.emptyBucket('rated');
    const commands = fixture.redisOf(fixture.tenant.organizationId);
    const before = await commands.hgetall(bucket);
    const { reasons, checked_at } = await fixture.job(id);
    expect(reasons).toEqual([
      {
        code: 'rate_limit',
        message: "The queue's rate of 1 job per second is used up; the next job may start in 1000 ms.",
        since: null,
        until: time,
        details: { limit_per_second: 1, next_token_at: reasons[0]!.until },
      },
    ]);
    expect(Date.parse(reasons[0]!.until!) - Date.parse(checked_at)).toBe(1_000);
    expect(await commands.hgetall(bucket)).toEqual(before);
  });

  it('BX-04 no_workers: none is registered, or none is healthy', async () => {
    const id = await fixture.create('alone');
    expect((await fixture.job(id)).reasons).toMatchObject([
      {
        code: 'no_workers',
        message:
          'No worker is registered for this queue and no job of it is running; 0 attempts ended in the last hour.',
        since: time,
        details: { healthy: 0, offline: 0, last_heartbeat: null, finished_last_hour: 0 },
      },
    ]);
    // Workers need not register: what they finished lately counts.
    await fixture.record('alone', { completed: 7 });
    expect(codes(await fixture.job(id))).toEqual(['ready']);
    await fixture.age('alone', 120);
    expect((await fixture.job(id)).reasons).toMatchObject([{ code: 'no_workers', details: { finished_last_hour: 7 } }]);

    await fixture.register('alone', 'gone');
    await fixture.register('alone', 'slow');
    await fixture.sql(
      `UPDATE workers SET status = 'offline', last_heartbeat = '2026-01-02T03:04:05Z' WHERE id = 'gone'`,
    );
    await fixture.sql(
      `UPDATE workers SET status = 'degraded', last_heartbeat = '2026-01-02T03:05:06Z' WHERE id = 'slow'`,
    );
    expect((await fixture.job(id)).reasons).toMatchObject([
      {
        code: 'no_workers',
        message:
          'None of the 2 workers of this queue is healthy (1 degraded, 1 offline; last heartbeat 2026-01-02T03:05:06Z); ' +
          '7 attempts ended in the last hour.',
        details: { healthy: 0, degraded: 1, offline: 1 },
      },
    ]);
  });

  it('BX-04 no_claims: workers are healthy, but nobody claims', async () => {
    await fixture.register('idle');
    const id = await fixture.create('idle');
    await fixture.age('idle', 300);
    expect((await fixture.job(id)).reasons).toMatchObject([
      {
        code: 'no_claims',
        message: expect.stringMatching(
          /^1 worker of this queue is healthy, but no job of it is running, and a job has waited for 5 min/,
        ),
        details: { healthy: 1, finished_last_hour: 0 },
      },
    ]);
    await fixture.create('idle');
    await fixture.claim('idle');
    expect(codes(await fixture.job(id))).toEqual(['running']);
  });

  it('BX-04 queue_deletion: older jobs of its queue are being removed, and are not found', async () => {
    const old = await fixture.create('deleted');
    await fixture.register('deleted');
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'deleted', clock_timestamp())`,
      fixture.tenant.organizationId,
    );
    const id = await fixture.create('deleted');
    const { reasons, estimate } = await fixture.job(id);
    expect(estimate).toBeNull();
    expect(reasons[0]).toMatchObject({
      code: 'queue_deletion',
      message: expect.stringMatching(/^The queue was deleted at \S+Z; newer jobs can be claimed once/),
      since: time,
      details: { deleted_until: time },
    });
    expect(await fixture.claim('deleted')).toEqual([]);
    expect((await fixture.gateway.request('GET', `/jobs/${old}/explain`, fixture.tenant.key)).status).toBe(404);
    expect((await fixture.queue('deleted')).status).toBe('waiting');
  });

  it('BX-04 receiver_unavailable: since when the receiver of a push queue does not respond, and the next call', async () => {
    await fixture.configure('pushed', { settings: { callback_url: 'https://example.com/jobs' } });
    const id = await fixture.create('pushed');
    // A push queue needs no workers.
    expect(codes(await fixture.job(id))).toEqual(['ready']);
    await fixture.configure('pushed-by-job', { settings: { push: true } });
    const called = await fixture.create('pushed-by-job', { callback_url: 'https://example.com/own' });
    expect(codes(await fixture.job(called))).toEqual(['ready']);
    const { organizationId } = fixture.tenant;
    fixture.gateway.app.get(ReceiverOutages).report(organizationId, 'pushed', 60_000);
    const { reasons, estimate } = await eventually(async () => {
      const explained = await fixture.job(id);
      expect(codes(explained)).toEqual(['receiver_unavailable']);
      return explained;
    });
    expect([reasons, estimate]).toEqual([
      [
        {
          code: 'receiver_unavailable',
          message: expect.stringMatching(
            /^The receiver of this push queue has not responded since \S+Z; the next trial call is at \S+Z\.$/,
          ),
          since: time,
          until: null,
          details: { next_call_at: time },
        },
      ],
      null,
    ]);
    const later = await fixture.create('pushed', { scheduled_at: inAnHour() });
    const scheduled = await fixture.job(later);
    expect([codes(scheduled), scheduled.estimate]).toEqual([['scheduled', 'receiver_unavailable'], null]);
    fixture.gateway.app.get(ReceiverOutages).end(organizationId, 'pushed');
    await fixture.age('pushed', 90);
    await eventually(async () => expect(codes(await fixture.job(id))).toEqual(['no_claims']));
  });
});

it('BX-04 push_call_limit and no_free_push_call: the figures of the process that reports', async () => {
  await fixture.configure('short', { settings: { callback_url: 'https://example.com/jobs' } });
  const id = await fixture.create('short');
  await fixture.record('short', { completed: 10 });
  expect((await fixture.job(id)).estimate).not.toBeNull();
  const shortages = fixture.gateway.app.get(PushShortages);
  const report = (shortage: Parameters<PushShortages['report']>[2]) =>
    shortages.report(fixture.tenant.organizationId, 'short', shortage, 600_000);
  report({ code: 'push_call_limit', running: 5, limit: 5 });
  await eventually(async () =>
    expect((await fixture.job(id)).reasons).toEqual([
      {
        code: 'push_call_limit',
        message: 'Its plan allows 5 push calls at once in each webhooks process, and the organization makes 5.',
        since: time,
        until: null,
        details: { running: 5, limit: 5 },
      },
    ]),
  );
  report({ code: 'no_free_push_call', running: 0, inUse: 512, limit: 512, hasBytes: true });
  const figures = { running: 0, in_use: 512, limit: 512, short_of: 'calls' };
  await eventually(async () =>
    expect(await fixture.job(id)).toMatchObject({
      reasons: [
        {
          code: 'no_free_push_call',
          message:
            'No free push call is left for this organization: a webhooks process makes 512 of 512 calls; ' +
            'the organization makes 0 of them.',
          details: figures,
        },
      ],
      estimate: null,
    }),
  );
  expect(await fixture.onlyProblem('short')).toMatchObject({ status: 'degraded', details: figures });
  const { problems } = problemSchemas.problems.parse(await fixture.send('GET', '/problems'));
  const isHere = ({ places }: problemSchemas.Problem) => places.some(({ queue }) => queue === 'short');
  expect(problems.filter(isHere).map(({ code }) => code)).toEqual(['no_free_push_call']);
  report({ code: 'no_free_push_call', running: 1, inUse: 3, limit: 512, hasBytes: false });
  await eventually(async () =>
    expect((await fixture.job(id)).reasons).toMatchObject([
      { message: expect.stringMatching(/^No memory for payloads/), details: { short_of: 'payload_bytes' } },
    ]),
  );
});

it('BX-04 receiver_unavailable: the receiver that a job names itself does not respond', async () => {
  await fixture.configure('own', { settings: { push: true } });
  const own = { callback_url: 'https://own.example:8443/hook/1' };
  const id = await fixture.create('own', own);
  const other = await fixture.create('own', { callback_url: 'https://another.example/hook' });
  expect(codes(await fixture.job(id))).toEqual(['ready']);
  const { organizationId } = fixture.tenant;
  const outages = fixture.gateway.app.get(ReceiverOutages);
  outages.report(organizationId, { origin: 'https://own.example:8443' }, 60_000);
  const { reasons, estimate } = await eventually(async () => {
    const explained = await fixture.job(id);
    expect(codes(explained)).toEqual(['receiver_unavailable']);
    return explained;
  });
  expect(reasons[0]).toMatchObject({
    message: expect.stringMatching(
      /^The receiver that this job names has not responded since \S+Z; the next trial call/,
    ),
    since: time,
    details: { next_call_at: time },
  });
  expect(estimate).toBeNull();
  expect(codes(await fixture.job(other))).not.toContain('receiver_unavailable');
  // As the webhooks service releases it.
  await fixture.sql(
    `UPDATE job_queue SET state = 'retrying', due_at = now() + interval '1 minute' WHERE job_id = $1`,
    id,
  );
  expect(codes(await fixture.job(id))).toEqual(['receiver_unavailable']);
  outages.end(organizationId, { origin: 'https://own.example:8443' });
  await eventually(async () =>
    expect((await fixture.job(id)).reasons).toMatchObject([
      { code: 'receiver_unavailable', message: expect.stringMatching(/may be called at \S+Z\.$/) },
    ]),
  );
});

it('BX-04 PB-13 without Redis the explanation says what is not known', async () => {
  await fixture.configure('plain', {
    rate_limit: 1,
    settings: { callback_url: 'https://example.com/jobs', concurrency: 1 },
  });
  const id = await fixture.create('plain');
  const gateway = await startGateway(fixture.database);
  try {
    const { status, body } = await gateway.request('GET', `/jobs/${id}/explain`, fixture.tenant.key);
    expect([status, codes(body), body.not_checked]).toEqual([
      200,
      ['ready'],
      [
        'Whether the receiver of this push queue responds, and whether it may be called now, is unknown, because Redis is not available',
      ],
    ]);
  } finally {
    await gateway.stop();
  }
});
