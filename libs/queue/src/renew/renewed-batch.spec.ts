import type { ClaimedJob, LeaseStore, WrittenLease } from '@spooled/contracts';
import type { BatchTransaction } from '@spooled/data-access';
import { claim, command, enqueue, ManualClock, newJob } from '@spooled/testing';
import pg from 'pg';
import { EffectsBuilder } from '../step/effects.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { renewBatch } from './renew.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

async function claimed(count: number, more: Parameters<typeof newJob>[0] = {}): Promise<ClaimedJob[]> {
  const jobs = Array.from({ length: count }, () => newJob({ timeoutSeconds: 3_600, ...more }));
  await fixture.run(enqueue(org, jobs));
  return (await fixture.run(claim(org, { limit: count, queueName: more.queueName ?? 'emails' }))).jobs;
}

const renewal = (job: ClaimedJob, leaseSeconds: number, more: object = {}) =>
  command('job.renew', org, { ...workerCommands(org).proof(job, more), leaseSeconds });
/** Seconds that the leases of these jobs last from now, to the nearest 900. */
async function secondsLeft(jobs: ClaimedJob[]): Promise<number[]> {
  const rows = await fixture.sql<{ id: string; left: number }>(
    `SELECT job_id AS id, round(extract(epoch FROM lease_expires_at - current_ts(clock_timestamp())) / 900)::int * 900 AS left
     FROM job_queue WHERE job_id = ANY ($1)`,
    [jobs.map(({ id }) => id)],
  );
  return jobs.map((job) => rows.find(({ id }) => id === job.id)!.left);
}

interface Renewed {
  command: number;
  why: string | null;
  lease_id: string | null;
  queue_name: string | null;
  seconds: number | null;
  durable_only: boolean | null;
}
/** What the function answers, which also tells the caller what Redis may hold. */
const renew = (items: object[]) =>
  fixture.sql<Renewed>(
    'SELECT command, why, lease_id, queue_name, seconds, durable_only FROM renew_leases_v1($1) ORDER BY command',
    [JSON.stringify([{ organization: org, items }])],
  );
const item = (number: number, job: ClaimedJob, seconds: number, more: object = {}) => ({
  command: number,
  id: job.id,
  worker: 'w1',
  lease: job.leaseId,
  lease_seconds: seconds,
  ...more,
});

describe('renewals of several leases at once', () => {
  it('SP-25 extend each by its own time, and leave the others alone', async () => {
    const jobs = await claimed(3);
    await fixture.engine.execute([renewal(jobs[0]!, 900), renewal(jobs[1]!, 1_800)]);
    expect(await secondsLeft(jobs)).toEqual([900, 1_800, 0]);
  });

  it('SP-25 extend one lease by the longest time that is asked for', async () => {
    const [job] = await claimed(1);
    await fixture.engine.execute([renewal(job!, 900), renewal(job!, 2_700), renewal(job!, 1_800)]);
    expect(await secondsLeft([job!])).toEqual([2_700]);
    const answered = { why: null, lease_id: job!.leaseId, queue_name: 'emails', seconds: 900, durable_only: false };
    expect(await renew([item(0, job!, 300), item(1, job!, 900)])).toEqual([
      { command: 0, ...answered },
      { command: 1, ...answered },
    ]);
  });

  it('SP-25 last a second longer than the attempt at most', async () => {
    const [job] = await claimed(1, { timeoutSeconds: 100 });
    await fixture.run(renewal(job!, 3_600));
    const [row] = await fixture.sql(
      'SELECT extract(epoch FROM lease_expires_at - started_at)::int AS lasts FROM job_queue WHERE job_id = $1',
      [job!.id],
    );
    expect(row).toEqual({ lasts: 101 });
  });

  it('SP-25 by the name of the worker extend only the job that is named', async () => {
    const jobs = await claimed(2);
    await fixture.run(renewal(jobs[0]!, 900, { leaseId: null }));
    expect(await secondsLeft(jobs)).toEqual([900, 0]);
    await fixture.engine.execute(jobs.map((job, n) => renewal(job, 900 * (n + 1), { leaseId: null })));
    expect(await secondsLeft(jobs)).toEqual([900, 1_800]);
  });

  it('BX-12 are refused each for its own reason', async () => {
    const [job, expired, cancelled] = await claimed(3);
    await fixture.sql(`UPDATE job_queue SET lease_expires_at = current_ts() - interval '1 s' WHERE job_id = $1`, [
      expired!.id,
    ]);
    await fixture.sql(`UPDATE job_queue SET state = 'ready' WHERE job_id = $1`, [cancelled!.id]);
    const answers = await renew([
      item(0, job!, 60, { worker: 'w2' }),
      item(1, job!, 60, { lease: expired!.leaseId }),
      item(2, job!, 60, { scope: ['images'] }),
      item(3, expired!, 60),
      item(4, expired!, 60, { renewed: true }),
      item(5, cancelled!, 60),
      item(6, job!, 60, { scope: ['images', 'emails'] }),
      item(7, job!, 60, { lease: undefined }),
    ]);
    const accepted = answers.filter(({ why }) => why === null).map(({ command: number }) => number);
    expect(accepted).toEqual([4, 6, 7]);
    expect(answers).toHaveLength(8);
  });
});

describe('the leases of renewed rows', () => {
  const lease = {
    lease_expires_at: 'its end',
    lease_id: 'l',
    queue_name: 'emails',
    seconds: 30,
    cancel_requested: false,
  };
  /** Rows that come after 40 ms, and what Redis is told to keep then. */
  async function told(...rows: object[]) {
    const clock = new ManualClock();
    const kept: WrittenLease[] = [];
    const run = async () => {
      await clock.advance(40);
      return rows.map((row, command) => ({ command, why: null, durable_only: false, ...lease, ...row }));
    };
    const commands = rows.map((_, n) =>
      command('job.renew', org, { jobId: `job ${n}`, workerId: 'w1', leaseId: null, queues: null, leaseSeconds: 30 }),
    );
    const effects = new EffectsBuilder();
    const from = clock.monotonic();
    const outcomes = await renewBatch(clock)({ run } as unknown as BatchTransaction, commands, effects);
    await effects.leases.apply({ keep: async (leases: WrittenLease[]) => void kept.push(...leases) } as LeaseStore);
    return { outcomes, kept: kept.map(({ endsAt, ...rest }) => ({ ...rest, endsIn: endsAt - from })) };
  }

  it('SP-25 are kept in Redis until the rows end at the earliest, unless the rows alone hold them', async () => {
    const { kept } = await told({}, { durable_only: true }, { why: 'gone' }, { lease_id: 'l3', seconds: 60 });
    const same = {
      organizationId: org,
      workerId: 'w1',
      queueName: 'emails',
      leaseExpiresAt: 'its end',
      uncertainMs: 40,
    };
    expect(kept).toEqual([
      { ...same, jobId: 'job 0', leaseId: 'l', endsIn: 30_000 },
      { ...same, jobId: 'job 3', leaseId: 'l3', endsIn: 60_000 },
    ]);
  });

  it('BX-30 tell workers to end their job where that was asked for', async () => {
    const { outcomes } = await told({}, { cancel_requested: true }, { why: 'completed' });
    expect(outcomes).toEqual([
      { ok: true, value: { leaseExpiresAt: 'its end' } },
      { ok: true, value: { leaseExpiresAt: 'its end', cancelRequested: true } },
      { ok: false, error: expect.objectContaining({ code: 'CONFLICT', message: 'Job is already completed' }) },
    ]);
  });
});

describe('a lease that Redis may not hold beyond its row', () => {
  const isDurable = async (job: ClaimedJob, seconds: number) => (await renew([item(0, job, seconds)]))[0]!.durable_only;

  it('MQ-03 is one of a queue with a concurrency limit', async () => {
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', '{"concurrency": 5}'), ($1, 'images', '{}')`,
      [org],
    );
    const [limited] = await claimed(1);
    const [free] = await claimed(1, { queueName: 'images' });
    expect([await isDurable(limited!, 60), await isDurable(free!, 60)]).toEqual([true, false]);
  });

  it('SP-25 is one whose attempt ends within two durations', async () => {
    const [job] = await claimed(1, { timeoutSeconds: 100_000 });
    expect([await isDurable(job!, 49_900), await isDurable(job!, 50_100)]).toEqual([false, true]);
    const [unlimited] = await claimed(1);
    await fixture.sql('UPDATE job_queue SET timeout_seconds = NULL WHERE job_id = $1', [unlimited!.id]);
    expect(await isDurable(unlimited!, 600)).toBe(false);
  });
});

it('BX-01 a renewal leaves no organization behind on its connection', async () => {
  const app = new pg.Client({ connectionString: fixture.database.appUrl });
  await app.connect();
  await app.query('SELECT FROM renew_leases_v1($1)', [JSON.stringify([{ organization: org, items: [] }])]);
  const { rows } = await app.query<{ org: string }>(`SELECT current_setting('app.current_org_id') AS org`);
  await app.end();
  expect(rows).toEqual([{ org: '' }]);
});
