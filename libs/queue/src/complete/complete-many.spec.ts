import { randomUUID } from 'node:crypto';
import type { ClaimedJob, Command, CommandOf } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, moves } from '../testing/job-lifecycle.fixture.js';

describe('many completions in one command', () => {
  let bench: EngineFixture;
  let org: string;
  let held: ClaimedJob[];

  beforeAll(async () => {
    bench = await EngineFixture.open();
  });
  beforeEach(async () => {
    org = await bench.organization();
    await bench.run(enqueue(org, [newJob(), newJob(), newJob()]));
    held = (await bench.run(claim(org, { limit: 3 }))).jobs;
  });
  afterAll(() => bench.close());

  type Job = { id: string; leaseId?: string; result?: string };
  const completeMany = (jobs: Job[], more: Partial<CommandOf<'job.completeMany'>> = {}) => {
    const asItem = ({ id, leaseId = undefined, result = undefined }: Job) => {
      return { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, result: result ?? null };
    };
    return command('job.completeMany', org, { jobs: jobs.map(asItem), queues: null }, more);
  };
  const done = { ok: true, value: { durationMs: expect.any(Number) } };
  const refused = (code: string) => ({ ok: false, error: expect.objectContaining({ code }) });
  const statuses = async () => Promise.all(held.map(async ({ id }) => (await bench.job(id)).status));

  it('BX-10 each job ends, or is refused, as it would alone', async () => {
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const stranger = { id: third.id, leaseId: second.leaseId };
    const jobs = [
      { ...first, result: '{"sent":"\\u0000"}' },
      stranger,
      second,
      { id: first.id, leaseId: first.leaseId },
    ];
    const { outcomes } = await bench.run(completeMany(jobs));
    expect(outcomes).toEqual([done, refused('LEASE_EXPIRED'), done, refused('CONFLICT')]);
    expect(await statuses()).toEqual(['completed', 'completed', 'processing']);
    const told = bench.events(org).filter(({ type }) => type === 'JobCompleted');
    expect(told.map(({ data }) => data)).toMatchObject([
      { job_id: first.id, result: { sent: '\0' } },
      { job_id: second.id },
    ]);
  });

  it('SP-25 what a stranger sends about a job does not take the turn of its holder', async () => {
    const [first] = held as [ClaimedJob];
    const stranger = { id: first.id, leaseId: randomUUID() };
    const { outcomes } = await bench.run(completeMany([stranger, first, stranger]));
    expect(outcomes).toEqual([refused('CONFLICT'), done, refused('CONFLICT')]);
  });

  it('a command that arrives again finds its own work done, and no other', async () => {
    const [first, second] = held as [ClaimedJob, ClaimedJob];
    await bench.run(completeMany([first]));
    const again = await bench.run(completeMany([first, second], { redelivered: true }));
    expect(again.outcomes).toEqual([{ ok: true, value: { durationMs: null } }, done]);
    expect((await bench.run(completeMany([first]))).outcomes).toEqual([refused('CONFLICT')]);
  });

  it('a job over which PostgreSQL stumbles fails alone', async () => {
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const { outcomes } = await bench.run(completeMany([first, { ...second, result: 'no JSON' }, third]));
    expect(outcomes).toEqual([done, refused('DATABASE_ERROR'), done]);
    expect(await statuses()).toEqual(['completed', 'processing', 'completed']);
  });

  it('shares the transaction with single completions, also of the same job', async () => {
    const { complete } = moves(org);
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const together = [completeMany([first, second]), complete(first), complete(third)] as Command[];
    const answers = await bench.engine.execute(together);
    expect(answers.slice(1)).toEqual([done, done]);
    expect(answers[0]).toEqual({ ok: true, value: { outcomes: [refused('CONFLICT'), done] } });
  });
});
