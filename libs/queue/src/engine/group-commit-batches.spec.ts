import type { Command, CommandKind, CommandOf } from '@spooled/contracts';
import { claim, command, enqueue, ManualClock, newJob } from '@spooled/testing';
import { BlockingExecutor, finish, nextTick } from './group-commit.fixture.js';
import { GroupCommit, type GroupCommitOptions } from './group-commit.js';

describe('the batches of a group commit', () => {
  let executor: BlockingExecutor;
  beforeEach(() => void (executor = new BlockingExecutor()));

  it('closes a batch that holds enough bytes', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1, maxBatchBytes: 1000 });
    const big = () => newJob({ payload: JSON.stringify('x'.repeat(600)) });
    void commit.submit(enqueue('a', [big()]));
    void commit.submit(enqueue('b', [big()]));
    await nextTick();
    expect(executor.batches.map((batch) => batch.length)).toEqual([1]);
    executor.release();
  });

  it('closes a batch that holds enough jobs, and runs a larger command alone', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1, maxBatchJobs: 10 });
    const sizes = [4, 6, 1, 12, 2];
    for (const size of sizes)
      void commit.submit(
        enqueue(
          'a',
          Array.from({ length: size }, () => newJob()),
        ),
      );
    void commit.submit(claim('a', { limit: 8 }));
    for (let i = 0; i < 5; i++) {
      await nextTick();
      executor.release();
      await nextTick();
    }
    expect(executor.batches.map((batch) => batch.length)).toEqual([2, 1, 1, 2]);
  });

  it('counts results and log lines as bytes, and the jobs of completions', async () => {
    const proof = { leaseId: null, workerId: 'w', queues: null };
    const text = (length: number) => 'x'.repeat(length);
    const complete = (length: number) => command('job.complete', 'a', { ...proof, jobId: 'j', result: text(length) });
    const create = (length: number) =>
      enqueue('a', [newJob({ payload: text(length - 1) }), newJob({ payload: text(1) })]);
    const many = (jobs: number, length: number) =>
      command('job.completeMany', 'a', {
        queues: null,
        jobs: Array.from({ length: jobs }, () => ({ ...proof, jobId: 'j', result: text(length) })),
      });
    const step = (length: number) =>
      command('job.recordStep', 'a', { ...proof, jobId: 'j', step: 's', result: text(length) });
    const logs = (lines: number, length: number) =>
      command('job.appendLogs', 'a', {
        ...proof,
        jobId: 'j',
        lines: Array.from({ length: lines }, (_, i) => ({
          ...{ number: i + 1, ageMs: 0, level: 'info' as const },
          ...{ message: text(100), fields: text(length - 100) },
        })),
      });
    const empty = [
      command('job.complete', 'a', { ...proof, jobId: 'j', result: null }),
      command('job.completeMany', 'a', { queues: null, jobs: [{ ...proof, jobId: 'j', result: null }] }),
      command('job.appendLogs', 'a', {
        ...proof,
        jobId: 'j',
        lines: [{ number: 1, ageMs: 0, level: 'info', message: '', fields: null }],
      }),
    ];
    const shapes = async (limits: GroupCommitOptions, ...commands: CommandOf<CommandKind>[]) => {
      const own = new BlockingExecutor();
      const commit = new GroupCommit(own, { concurrency: 1, ...limits });
      for (const one of commands) void commit.submit(one);
      await nextTick();
      await finish(commit, own);
      return own.batches.map((batch) => batch.length);
    };
    expect(await shapes({ maxBatchBytes: 1_000 }, create(500), create(500), ...empty)).toEqual([5]);
    expect(await shapes({ maxBatchBytes: 1_000 }, create(500), create(501))).toEqual([1, 1]);
    expect(await shapes({ maxBatchBytes: 1_000 }, complete(500), complete(500))).toEqual([2]);
    expect(await shapes({ maxBatchBytes: 1_000 }, complete(500), complete(501))).toEqual([1, 1]);
    expect(await shapes({ maxBatchBytes: 1_000 }, many(2, 250), complete(500))).toEqual([2]);
    expect(await shapes({ maxBatchBytes: 1_000 }, many(2, 251), complete(500))).toEqual([1, 1]);
    expect(await shapes({ maxBatchBytes: 1_000 }, step(500), step(500))).toEqual([2]);
    expect(await shapes({ maxBatchBytes: 1_000 }, step(500), step(501))).toEqual([1, 1]);
    expect(await shapes({ maxBatchBytes: 1_000 }, logs(2, 250), step(500))).toEqual([2]);
    expect(await shapes({ maxBatchBytes: 1_000 }, logs(2, 251), step(500))).toEqual([1, 1]);
    expect(await shapes({ maxBatchJobs: 10 }, many(9, 1), complete(5))).toEqual([2]);
    expect(await shapes({ maxBatchJobs: 10 }, many(10, 1), complete(5))).toEqual([1, 1]);
  });

  describe('with organizations that are blocked', () => {
    const blocked = { any: true, has: (organizationId: string) => organizationId.startsWith('blocked') };
    const organizations = () => executor.batches.map((batch) => batch.map(({ organizationId }) => organizationId));

    it('runs them in batches of their own, one of each and two at once, and the others together', async () => {
      const commit = new GroupCommit(executor, { concurrency: 1, blocked });
      for (const org of ['blocked 1', 'a', 'blocked 2', 'b', 'blocked 1', 'blocked 3']) void commit.submit(claim(org));
      await nextTick();
      expect(organizations()).toEqual([['blocked 1', 'blocked 1'], ['blocked 2'], ['a', 'b']]);
      void commit.submit(claim('blocked 1'));
      void commit.submit(claim('c'));
      await nextTick();
      // Organizations without commands in flight have the reserved batch, blocked ones have not.
      expect(organizations().slice(3)).toEqual([['c']]);
      executor.release();
      await nextTick();
      await nextTick();
      expect(organizations().slice(4)).toEqual([['blocked 3'], ['blocked 1']]);
      await finish(commit, executor);
    });

    it('lets a command that blocks a batch of its organization wait by itself, and runs the next ones meanwhile', async () => {
      const isolated: Command[][] = [];
      const commit = new GroupCommit(
        {
          execute: executor.execute,
          executeShared: (commands, deferral) => {
            expect(deferral).toBe('commands');
            isolated.push(commands);
            return Promise.resolve(
              commands.map(({ kind }) => (kind === 'job.claim' ? 'blocked' : { ok: true, value: null as never })),
            );
          },
        },
        { blocked },
      );
      const [first, second] = [claim('blocked'), claim('blocked')];
      const waiting = [first, second].map((one) => commit.submit(one));
      const beside = enqueue('blocked', [newJob()]);
      expect(await commit.submit(beside)).toMatchObject({ ok: true });
      await nextTick();
      await nextTick();
      expect(executor.batches).toEqual([[first]]);
      const next = enqueue('blocked', [newJob()]);
      expect(await commit.submit(next)).toMatchObject({ ok: true });
      expect(isolated).toEqual([[first, second, beside], [next]]);
      expect(executor.batches).toEqual([[first]]);
      await finish(commit, executor);
      expect(executor.batches).toEqual([[first], [second]]);
      for (const outcome of waiting) expect(await outcome).toMatchObject({ ok: true });
    });

    /** Runs nothing in a shared transaction: claims wait for locks there. */
    const claimsWait = () => ({
      execute: executor.execute,
      executeShared: (commands: Command[]) => Promise.resolve(commands.map(() => 'blocked' as const)),
    });

    it('lets at most two commands wait by themselves, of different organizations', async () => {
      const commit = new GroupCommit(claimsWait(), { blocked });
      for (const org of ['blocked 1', 'blocked 1', 'blocked 2', 'blocked 3']) void commit.submit(claim(org));
      for (let i = 0; i < 4; i++) await nextTick();
      expect(organizations()).toEqual([['blocked 1'], ['blocked 2']]);
      expect(commit.waiting).toBe(2);
      executor.release(1);
      for (let i = 0; i < 2; i++) await nextTick();
      expect(organizations().slice(2)).toEqual([['blocked 1']]);
      await finish(commit, executor);
      expect(organizations().slice(3)).toEqual([['blocked 3']]);
    });

    it('refuses a command that has waited 4 s for its turn, and runs one that has waited less', async () => {
      const clock = new ManualClock();
      const commit = new GroupCommit(claimsWait(), { blocked, clock });
      const outcomes = ['blocked', 'blocked', 'blocked'].map((org) => commit.submit(claim(org)));
      for (let i = 0; i < 3; i++) await nextTick();
      await clock.advance(4_000);
      executor.release();
      for (let i = 0; i < 2; i++) await nextTick();
      await clock.advance(1);
      await finish(commit, executor);
      const late = { ok: false, error: { status: 503, message: 'queue engine is unavailable' } };
      expect(await Promise.all(outcomes)).toMatchObject([{ ok: true }, { ok: true }, late]);
      expect(executor.batches).toHaveLength(2);
    });

    it('refuses a command whose caller has given up before 4 s', async () => {
      const clock = new ManualClock();
      const commit = new GroupCommit(claimsWait(), { blocked, clock });
      const outcomes = [claim('blocked'), { ...claim('blocked'), ttlMs: 1_000 }].map((one) => commit.submit(one));
      for (let i = 0; i < 3; i++) await nextTick();
      await clock.advance(1_001);
      await finish(commit, executor);
      expect(await Promise.all(outcomes)).toMatchObject([{ ok: true }, { ok: false, error: { status: 503 } }]);
    });

    it.each([
      ['a batch of a blocked organization', () => new GroupCommit(executor, { blocked }), ['blocked']],
      ['a command that waits by itself', () => new GroupCommit(claimsWait(), { blocked }), ['blocked']],
      ['the reserved batch', () => new GroupCommit(executor, { concurrency: 1 }), ['a', 'b']],
    ])('is drained when %s has ended as well', async (_what, open, orgs) => {
      const commit = open();
      for (const org of orgs) {
        void commit.submit(claim(org));
        for (let i = 0; i < 3; i++) await nextTick();
      }
      let drained = false;
      const done = commit.drain().then(() => (drained = true));
      executor.release(orgs.length - 1);
      for (let i = 0; i < 3; i++) await nextTick();
      expect([drained, executor.batches.length]).toEqual([false, orgs.length]);
      executor.release();
      await done;
    });

    it('runs a command by itself that a shared transaction has left without an outcome', async () => {
      let waits = false;
      const shared: Command[][] = [];
      const commit = new GroupCommit(
        {
          execute: executor.execute,
          executeShared: (commands, deferral) => {
            if (deferral === 'commands') return executor.execute(commands);
            shared.push(commands);
            waits = true;
            return Promise.resolve(commands.map(() => 'blocked'));
          },
        },
        {
          blocked: {
            get any() {
              return waits;
            },
            has: () => waits,
          },
        },
      );
      const one = claim('a');
      const answer = commit.submit(one);
      await nextTick();
      await nextTick();
      expect([shared, executor.batches]).toEqual([[[one]], [[one]]]);
      executor.release();
      expect(await answer).toMatchObject({ ok: true });
      await commit.drain();
    });
  });

  describe('with claims for which a transaction is full', () => {
    /** Answers the first two commands of each transaction. */
    const full = () => {
      const answering = new BlockingExecutor();
      const executeShared = async (commands: Command[]) =>
        (await answering.execute(commands)).map((outcome, i) => (i < 2 ? outcome : ('full' as const)));
      const sizes: number[] = [];
      const executor = { execute: answering.execute, executeShared };
      const notBlocked = { any: false, has: () => false };
      const options = { concurrency: 1, blocked: notBlocked, onBatch: (n: number) => sizes.push(n) };
      return { answering, sizes, options, executor };
    };

    it('answers the others at once and runs these in the next transaction, before commands that came later', async () => {
      const { answering, sizes, options, executor } = full();
      const commit = new GroupCommit(executor, options);
      const answered: string[] = [];
      const submit = (one: Command) => commit.submit(one).then(() => answered.push(one.id));
      const first = [claim('a'), claim('b'), claim('a'), claim('b'), claim('a')] as Command[];
      first.forEach((one) => void submit(one));
      await nextTick();
      const later = claim('a') as Command;
      void submit(later);
      const ids = first.map(({ id }) => id);
      for (const done of [ids.slice(0, 2), ids.slice(0, 4), ids, [...ids, later.id]]) {
        answering.release();
        await nextTick();
        await nextTick();
        expect(answered).toEqual(done);
      }
      expect(answering.batches).toEqual([first, first.slice(2), first.slice(4), [later]]);
      expect(sizes).toEqual([5, 3, 1, 1]);
      await commit.drain();
    });

    it('counts an organization as in flight as long as it has commands of the transaction left', async () => {
      const { answering, options, executor } = full();
      const commit = new GroupCommit(executor, options);
      for (const org of ['a', 'b', 'b']) void commit.submit(claim(org));
      await nextTick();
      answering.release();
      await nextTick();
      await nextTick();
      // The reserved batch is for organizations without commands in flight.
      const [ofA] = [claim('a'), claim('b')].map((one) => (void commit.submit(one), one));
      await nextTick();
      expect(answering.batches.slice(2)).toEqual([[ofA]]);
      await finish(commit, answering);
    });

    it('refuses those whose callers have given up', async () => {
      const { answering, options, executor } = full();
      const clock = new ManualClock();
      const commit = new GroupCommit(executor, { ...options, clock });
      const outcomes = ['a', 'b', 'a'].map((org) => commit.submit(claim(org)));
      await nextTick();
      await clock.advance(claim('a').ttlMs + 1);
      answering.release();
      expect(await Promise.all(outcomes)).toMatchObject([
        { ok: true },
        { ok: true },
        { ok: false, error: { status: 503 } },
      ]);
      await commit.drain();
      expect(answering.batches).toHaveLength(1);
    });
  });

  it('leaves nothing to run separately unless it knows which organizations are blocked', async () => {
    const executeShared = () => Promise.reject(new Error('left some'));
    const commit = new GroupCommit({ execute: executor.execute, executeShared }, { concurrency: 1 });
    const answer = commit.submit(claim('a'));
    await nextTick();
    await finish(commit, executor);
    expect(await answer).toMatchObject({ ok: true });
  });

  it('uses a transaction that is free while the reserved one runs, also for an organization that is blocked', async () => {
    const blocked = { any: false, has: (organizationId: string) => organizationId === 'blocked' };
    const commit = new GroupCommit(executor, { concurrency: 1, blocked });
    const begin = async (organizationId: string) => {
      void commit.submit(claim(organizationId));
      await nextTick();
    };
    await begin('shared');
    await begin('reserved');
    executor.release(1);
    await nextTick();
    await begin('next');
    blocked.any = true;
    await begin('blocked');
    const began = executor.batches.map(([first]) => first!.organizationId);
    expect(began).toEqual(['shared', 'reserved', 'next', 'blocked']);
    await finish(commit, executor);
  });

  it('reports how many commands each transaction has, and takes no more than allowed', async () => {
    const sizes: number[] = [];
    const commit = new GroupCommit(executor, { concurrency: 1, maxBatchCommands: 2, onBatch: (n) => sizes.push(n) });
    for (let i = 0; i < 3; i++) void commit.submit(claim('a'));
    await nextTick();
    await finish(commit, executor);
    expect(sizes).toEqual([2, 1]);
  });
});
