import { randomUUID } from 'node:crypto';
import type { ClaimedJob, Command, CommandOf, Outcome } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('many completions in one command', () => {
  const fixture = useEngine();
  let org: string;
  let held: ClaimedJob[];
  beforeEach(async () => {
    org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob(), newJob(), newJob()]));
    held = (await fixture.run(claim(org, { limit: 3 }))).jobs;
  });

  type Job = { id: string; leaseId?: string; result?: string };
  const completeMany = (jobs: Job[], more: Partial<CommandOf<'job.completeMany'>> = {}) => {
    const asItem = ({ id, leaseId = undefined, result = undefined }: Job) => {
      return { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, result: result ?? null };
    };
    return command('job.completeMany', org, { jobs: jobs.map(asItem), queues: null }, more);
  };
  const done = { ok: true, value: { durationMs: expect.any(Number) } };
  const refused = (code: string) => ({ ok: false, error: expect.objectContaining({ code }) });
  const statuses = async () => Promise.all(held.map(async ({ id }) => (await fixture.job(id)).status));

  it('BX-10 completes or refuses each job as a single completion would', async () => {
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const other = { id: third.id, leaseId: second.leaseId };
    const jobs = [{ ...first, result: '{"sent":"\\u0000"}' }, other, second, { id: first.id, leaseId: first.leaseId }];
    const { outcomes } = await fixture.run(completeMany(jobs));
    expect(outcomes).toEqual([done, refused('LEASE_EXPIRED'), done, refused('CONFLICT')]);
    expect(await statuses()).toEqual(['completed', 'completed', 'processing']);
    const completed = fixture.events(org).filter(({ type }) => type === 'JobCompleted');
    expect(completed.map(({ data }) => data)).toMatchObject([
      { job_id: first.id, result: JSON.stringify({ sent: '\0' }) },
      { job_id: second.id },
    ]);
  });

  it('BX-01 answers each of several commands with its own outcomes, also those of different organizations', async () => {
    const other = await fixture.organization();
    await fixture.run(enqueue(other, [newJob()]));
    const theirs = await fixture.claimOne(other);
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const unknown = { id: randomUUID() };
    const commands = [
      completeMany([first, unknown]),
      { ...completeMany([theirs]), organizationId: other },
      completeMany([unknown, second, third]),
    ];
    const answers = (await fixture.engine.execute(commands as Command[])) as Outcome<'job.completeMany'>[];
    expect(answers.map((answer) => answer.ok && answer.value.outcomes)).toEqual([
      [done, refused('NOT_FOUND')],
      [done],
      [refused('NOT_FOUND'), done, done],
    ]);
  });

  it('SP-25 a completion by another worker does not preempt the holder of the lease', async () => {
    const [first] = held as [ClaimedJob];
    const other = { id: first.id, leaseId: randomUUID() };
    const { outcomes } = await fixture.run(completeMany([other, first, other]));
    expect(outcomes).toEqual([refused('LEASE_EXPIRED'), done, refused('LEASE_EXPIRED')]);
  });

  it('a redelivered command recognizes its own completions, and only those', async () => {
    const [first, second] = held as [ClaimedJob, ClaimedJob];
    await fixture.run(completeMany([first]));
    const again = await fixture.run(completeMany([first, second], { redelivered: true }));
    expect(again.outcomes).toEqual([{ ok: true, value: { durationMs: null } }, done]);
    expect((await fixture.run(completeMany([first]))).outcomes).toEqual([refused('CONFLICT')]);
  });

  it('a job that PostgreSQL rejects fails alone', async () => {
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const { outcomes } = await fixture.run(completeMany([first, { ...second, result: 'no JSON' }, third]));
    expect(outcomes).toEqual([done, refused('DATABASE_ERROR'), done]);
    expect(await statuses()).toEqual(['completed', 'processing', 'completed']);
  });

  it('BX-01 keeps organizations, scopes and results of a batch apart', async () => {
    const other = await fixture.organization();
    await fixture.run(enqueue(other, [newJob()]));
    const theirs = await fixture.claimOne(other);
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const complete = (organization: string, { id: jobId, leaseId }: ClaimedJob, more: object = {}) =>
      command('job.complete', organization, { jobId, leaseId, workerId: 'w1', queues: null, result: null, ...more });
    fixture.effects.length = 0;
    const answers = await fixture.engine.execute([
      complete(org, first, { queues: ['bills'], result: '1' }),
      complete(org, theirs, { result: '2' }),
      complete(other, theirs, { result: '[3]' }),
      complete(org, second, { queues: ['bills', 'emails'], result: '4' }),
      complete(org, third),
    ] as Command[]);
    expect(answers).toEqual([refused('NOT_FOUND'), refused('NOT_FOUND'), done, done, done]);
    // A transaction that PostgreSQL rejects would be split.
    expect(fixture.effects).toHaveLength(1);
    expect(await fixture.job(theirs.id)).toMatchObject({ status: 'completed', result: [3] });
    expect(await fixture.job(second.id)).toMatchObject({ status: 'completed', result: 4 });
    expect(await fixture.job(third.id)).toMatchObject({ status: 'completed', result: null });
    expect(await statuses()).toEqual(['processing', 'completed', 'completed']);
  });

  it('shares the transaction with single completions, also of the same job', async () => {
    const { complete } = workerCommands(org);
    const [first, second, third] = held as [ClaimedJob, ClaimedJob, ClaimedJob];
    const together = [completeMany([first, second]), complete(first), complete(third)] as Command[];
    const answers = await fixture.engine.execute(together);
    expect(answers.slice(1)).toEqual([done, done]);
    expect(answers[0]).toEqual({ ok: true, value: { outcomes: [refused('CONFLICT'), done] } });
  });
});
