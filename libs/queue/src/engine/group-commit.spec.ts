import type { Command } from '@spooled/contracts';
import { claim, command, enqueue, ManualClock, newJob } from '@spooled/testing';
import { BlockingExecutor, finish, nextTick } from './group-commit.fixture.js';
import { GroupCommit } from './group-commit.js';

describe('GroupCommit', () => {
  let executor: BlockingExecutor;
  beforeEach(() => void (executor = new BlockingExecutor()));

  it('BX-10 runs commands that arrive together in one transaction, and gives each caller its own outcome', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1 });
    const commands = ['a', 'b', 'a'].map((org) => enqueue(org, [newJob()]));
    const answers = commands.map((one) => commit.submit(one));
    await nextTick();
    expect(executor.batches).toHaveLength(1);
    expect(executor.batches[0]).toHaveLength(3);
    executor.release();
    const outcomes = await Promise.all(answers);
    outcomes.forEach((outcome, i) => expect(outcome).toMatchObject({ value: { jobs: [{ jobId: commands[i]!.id }] } }));
  });

  it('collects the next batch while one commits, round robin over organizations', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1, maxBatchCommands: 4 });
    void commit.submit(claim('first'));
    await nextTick();
    const flood = Array.from({ length: 10 }, () => commit.submit(claim('loud')));
    const quiet = commit.submit(claim('quiet'));
    executor.release();
    await nextTick();
    await nextTick();
    expect(executor.batches[1]!.map(({ organizationId }) => organizationId)).toEqual(['loud', 'quiet', 'loud', 'loud']);
    await finish(commit, executor);
    expect(executor.batches).toHaveLength(4);
    expect((await quiet).ok).toBe(true);
    expect((await Promise.all(flood)).every(({ ok }) => ok)).toBe(true);
  });

  it('BX-03 runs an organization without commands in flight beside the transactions of a flood, not in them', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1 });
    void commit.submit(claim('loud'));
    await nextTick();
    for (let i = 0; i < 10; i++) void commit.submit(claim('loud'));
    void commit.submit(claim('quiet'));
    void commit.submit(claim('quiet'));
    void commit.submit(claim('also quiet'));
    await nextTick();
    const organizations = executor.batches.map((batch) => batch.map(({ organizationId }) => organizationId));
    expect(organizations).toEqual([['loud'], ['quiet', 'also quiet']]);
    // Its second command waits: the organization now has one in flight. There is one such transaction at a time.
    expect(commit.waiting).toBe(11);
    void commit.submit(claim('late'));
    await nextTick();
    expect(executor.batches).toHaveLength(2);
    await finish(commit, executor);
  });

  describe('that separates kinds', () => {
    const large = () => [
      enqueue(
        'a',
        Array.from({ length: 60 }, () => newJob()),
      ),
      claim('a', { limit: 50 }),
    ];
    const shapes = () => executor.batches.map((batch) => batch.map(({ kind }) => kind));

    it('runs large commands of different kinds in concurrent transactions, and small ones together', async () => {
      const commit = new GroupCommit(executor, { separatesKinds: true });
      const small = command('job.fail', 'a', {
        jobId: 'j',
        leaseId: null,
        workerId: 'w',
        queues: null,
        error: 'e',
        retry: true,
      });
      for (const one of [...large(), small]) void commit.submit(one);
      await nextTick();
      expect(shapes()).toEqual([['job.enqueue'], ['job.claim'], ['job.fail']]);
      await finish(commit, executor);
      for (const one of [enqueue('a', [newJob()]), claim('a'), small]) void commit.submit(one);
      await nextTick();
      expect(shapes().slice(3)).toEqual([['job.enqueue', 'job.claim', 'job.fail']]);
      await finish(commit, executor);
    });

    it('never runs more transactions than it may', async () => {
      const commit = new GroupCommit(executor, { separatesKinds: true, concurrency: 2 });
      void commit.submit(enqueue('a', [newJob()]));
      await nextTick();
      const waiting = large().map((one) => commit.submit(one));
      await nextTick();
      expect(shapes()).toEqual([['job.enqueue'], ['job.enqueue', 'job.claim']]);
      await finish(commit, executor);
      expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
    });
  });

  it.each([
    ['rare commands', 0, command('job.cancel', 'a', { jobId: newJob().id, queues: null })],
    ['a transaction', 1, claim('a')],
    ['commands that wait for one', 0, claim('a')],
  ])('is drained when %s have ended as well', async (_, turns, one) => {
    const commit = new GroupCommit(executor);
    void commit.submit(one);
    for (let turn = 0; turn < turns; turn++) await nextTick();
    const drained: number[] = [];
    const done = [1, 2].map((caller) => commit.drain().then(() => drained.push(caller)));
    await nextTick();
    await nextTick();
    expect(drained).toEqual([]);
    await finish(commit, executor);
    await Promise.all(done);
  });

  it('SP-86 BX-03 refuses commands beyond `maxWaiting` with 503, at first those of organizations beyond their share', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1, maxWaiting: 8, maxBatchCommands: 1 });
    void commit.submit(claim('loud'));
    await nextTick();
    // The first batch runs, and the reserved one for organizations without commands in flight is taken as well.
    void commit.submit(claim('other'));
    await nextTick();
    for (let i = 0; i < 8; i++) void commit.submit(claim('loud'));
    const error = { status: 503, retryAfterSeconds: 1, message: 'queue engine is unavailable' };
    const refused = { ok: false, error };
    expect(await commit.submit(claim('loud'))).toMatchObject(refused);
    const admitted = Array.from({ length: 8 }, (_, i) => commit.submit(claim(`quiet ${i}`)));
    expect(commit.waiting).toBe(16);
    expect(await commit.submit(claim('quiet'))).toMatchObject(refused);
    await finish(commit, executor);
    expect((await Promise.all(admitted)).every(({ ok }) => ok)).toBe(true);
  });

  it('drops an expired command instead of running it late', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1 });
    void commit.submit(claim('a'));
    await nextTick();
    const late = commit.submit({ ...claim('a'), ttlMs: -1 });
    await finish(commit, executor);
    expect(await late).toMatchObject({ ok: false, error: { status: 503, retryAfterSeconds: 1 } });
    expect(executor.batches).toHaveLength(1);
  });

  it('runs a command whose time ends at this moment', async () => {
    const clock = new ManualClock();
    const commit = new GroupCommit(executor, { concurrency: 1, maxBatchCommands: 1, clock });
    const outcomes = [claim('a'), claim('a')].map((one) => commit.submit(one));
    await nextTick();
    await clock.advance(claim('a').ttlMs);
    await finish(commit, executor);
    expect(await Promise.all(outcomes)).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('runs rare commands without waiting for batches', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1 });
    void commit.submit(claim('a'));
    await nextTick();
    void commit.submit(command('job.cancel', 'a', { jobId: newJob().id, queues: null }));
    expect(executor.batches.map(([first]) => first!.kind)).toEqual(['job.claim', 'job.cancel']);
    executor.release();
  });

  it('resolves its callers even when the executor throws', async () => {
    executor.fail = true;
    for (const told of [[] as unknown[], undefined]) {
      const commit = new GroupCommit(executor, told && { onError: (error, what) => told.push(error, what) });
      const answer = commit.submit(claim('a'));
      await nextTick();
      await finish(commit, executor);
      expect(await answer).toMatchObject({ ok: false, error: { status: 500 } });
      if (told) expect(told).toEqual([new Error('broken executor'), '1 commands, first of kind job.claim']);
    }
  });

  it('BX-02 passes on claims whose callers are gone, and refused ones that have run before, so that what they got is released', async () => {
    const abandoned: string[] = [];
    const abandon = (claims: Command[]) => void abandoned.push(...claims.map(({ id }) => id));
    const commit = new GroupCommit({ execute: executor.execute, abandon }, { maxWaiting: 1 });
    const gone = claim('a');
    commit.abandon(gone);
    const again = { redelivered: true, ttlMs: -1 };
    const [late, surplus] = [claim('a'), claim('a')].map((one) => ({ ...one, ...again }));
    // Two may wait, and are too old then.
    const commands = [late!, { ...claim('a'), ttlMs: -1 }, surplus!, { ...enqueue('a', []), ...again }, claim('a')];
    const outcomes = await Promise.all((commands as Command[]).map((one) => commit.submit(one)));
    expect(outcomes).toMatchObject(commands.map(() => ({ ok: false, error: { status: 503 } })));
    expect([abandoned, executor.batches]).toEqual([[gone.id, surplus!.id, late!.id], []]);
    new GroupCommit(executor).abandon(gone);
  });
});
