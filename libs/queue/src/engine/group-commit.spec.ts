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
    executor.release();
    expect((await quiet).ok).toBe(true);
    const finished = commit.drain();
    while (commit.waiting > 0 || executor.batches.length < 4) {
      executor.release();
      await nextTick();
    }
    executor.release();
    await finished;
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
    // Its second command waits: the organization now has one in flight.
    expect(commit.waiting).toBe(11);
    const finished = commit.drain();
    while (commit.waiting > 0) {
      executor.release();
      await nextTick();
    }
    executor.release();
    await finished;
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
      executor.release();
      await commit.drain();
      for (const one of [enqueue('a', [newJob()]), claim('a'), small]) void commit.submit(one);
      await nextTick();
      expect(shapes().slice(3)).toEqual([['job.enqueue', 'job.claim', 'job.fail']]);
      executor.release();
      await commit.drain();
    });

    it('never runs more transactions than it may', async () => {
      const commit = new GroupCommit(executor, { separatesKinds: true, concurrency: 2 });
      void commit.submit(enqueue('a', [newJob()]));
      await nextTick();
      const waiting = large().map((one) => commit.submit(one));
      await nextTick();
      expect(shapes()).toEqual([['job.enqueue'], ['job.enqueue', 'job.claim']]);
      executor.release();
      expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
      await commit.drain();
    });
  });

  it('is drained when rare commands have ended as well', async () => {
    const commit = new GroupCommit(executor);
    void commit.submit(command('job.cancel', 'a', { jobId: newJob().id, queues: null }));
    let drained = false;
    const done = commit.drain().then(() => (drained = true));
    await nextTick();
    expect(drained).toBe(false);
    executor.release();
    await done;
  });

  it('SP-86 BX-03 refuses commands beyond `maxWaiting` with 503, at first those of organizations beyond their share', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1, maxWaiting: 8, maxBatchCommands: 1 });
    void commit.submit(claim('loud'));
    await nextTick();
    // The first batch runs, and the reserved one for organizations without commands in flight is taken as well.
    void commit.submit(claim('other'));
    await nextTick();
    for (let i = 0; i < 8; i++) void commit.submit(claim('loud'));
    const refused = { ok: false, error: { status: 503, retryAfterSeconds: 1 } };
    expect(await commit.submit(claim('loud'))).toMatchObject(refused);
    const admitted = Array.from({ length: 8 }, (_, i) => commit.submit(claim(`quiet ${i}`)));
    expect(commit.waiting).toBe(16);
    expect(await commit.submit(claim('quiet'))).toMatchObject(refused);
    const drained = commit.drain();
    while (commit.waiting > 0) {
      executor.release();
      await nextTick();
    }
    executor.release();
    await nextTick();
    executor.release();
    await drained;
    expect((await Promise.all(admitted)).every(({ ok }) => ok)).toBe(true);
  });

  it('drops an expired command instead of running it late', async () => {
    const commit = new GroupCommit(executor, { concurrency: 1 });
    void commit.submit(claim('a'));
    await nextTick();
    const late = commit.submit({ ...claim('a'), ttlMs: -1 });
    const drained = commit.drain();
    executor.release();
    expect(await late).toMatchObject({ ok: false, error: { status: 503 } });
    await drained;
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
    const commit = new GroupCommit(executor);
    const answer = commit.submit(claim('a'));
    await nextTick();
    executor.release();
    expect(await answer).toMatchObject({ ok: false, error: { status: 500 } });
    await commit.drain();
  });
});
