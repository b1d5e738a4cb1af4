import type { ClaimedJob, LogLine } from '@spooled/contracts';
import { listJobLogs } from '@spooled/data-access';
import { jobLogLimits } from '@spooled/domain';
import { command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, refusal, workerCommands } from '../testing/job-lifecycle.fixture.js';

describe('logs of a job', () => {
  let fixture: EngineFixture;
  let org: string;
  let held: ClaimedJob;

  beforeAll(async () => void (fixture = await EngineFixture.open()));
  beforeEach(async () => {
    org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob({ maxRetries: 100 })]));
    held = await fixture.claimOne(org);
  });
  afterAll(() => fixture.close());

  const { proof } = workerCommands('');
  const line = (number: number, more: Partial<LogLine> = {}): LogLine => ({
    ...{ number, ageMs: 0, level: 'info', message: `line ${number}`, fields: null },
    ...more,
  });
  const lines = (first: number, last: number, more: Partial<LogLine> = {}) =>
    Array.from({ length: last - first + 1 }, (_, i) => line(first + i, more));
  const report = (job: ClaimedJob, reported: LogLine[], of = org) =>
    command('job.appendLogs', of, { ...proof(job), lines: reported });
  const append = (...reported: LogLine[]) => fixture.run(report(held, reported));
  const log = (of = org, job = held, page: { attempt?: number; leaseId?: string } = {}) =>
    fixture.db.withTenant(of, (tx) =>
      listJobLogs(tx, job.id, { after: null, attempt: null, leaseId: null, limit: 10_000, ...page }),
    );
  const numbers = async () => (await log()).lines.map(({ number }) => number);
  const sums = async () => (await log()).attempts.map(({ attempt, kept, omitted }) => [attempt, kept, omitted]);
  /** Gives the job back and claims it again: the same attempt, under another lease. */
  const nextLease = async () => {
    const leases = [{ jobId: held.id, leaseId: held.leaseId }];
    await fixture.run(command('job.release', org, { leases, delivered: true }));
    held = await fixture.claimOne(org);
  };
  const nextAttempt = async () => {
    await fixture.run(workerCommands(org).fail(held, true));
    await fixture.pass('1 h');
    await fixture.maintenance.activateDue(100);
    held = await fixture.claimOne(org);
  };

  it('are kept as they were written, in their order, with the time at which they were', async () => {
    const fields = '{"id":12345678901234567890,"text":"\\u0000"}';
    await append(line(2, { level: 'error', message: 'declined 🙂', fields }), line(1, { ageMs: 1_500 }));
    const { lines: found, attempts } = await log();
    const at = { attempt: 1, lease_id: held.leaseId, run: 1 };
    expect(found).toMatchObject([
      { ...at, number: 1, level: 'info', message: 'line 1', fields: null },
      { ...at, number: 2, level: 'error', message: 'declined 🙂', fields },
    ]);
    expect(Date.parse(found[1]!.at) - Date.parse(found[0]!.at)).toBe(1_500);
    expect(attempts).toEqual([{ attempt: 1, lease_id: held.leaseId, kept: 2, omitted: 0 }]);
  });

  it('take each number once, also of reports that overlap in one transaction', async () => {
    await append(line(1), line(2));
    expect(await append(line(2, { message: 'again' }), line(3))).toEqual({ kept: 1, omitted: 0 });
    const outcomes = await fixture.engine.execute([report(held, lines(3, 5)), report(held, lines(4, 6))]);
    expect(outcomes).toMatchObject([{ value: { kept: 2 } }, { value: { kept: 1 } }]);
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await log()).lines[1]).toMatchObject({ message: 'line 2' });
  });

  it('are counted together when their reports run at the same time', async () => {
    const { lines: most } = jobLogLimits;
    const reports = Array.from({ length: 8 }, (_, i) => report(held, lines(i * 50 + 1, i * 50 + 50)));
    const outcomes = await Promise.all(reports.map((one) => fixture.engine.execute([one])));
    expect(outcomes.flat()).toMatchObject(reports.map(() => ({ ok: true })));
    const { lines: kept, attempts } = await log();
    expect(kept.length).toBeLessThanOrEqual(most);
    expect(attempts).toMatchObject([{ kept: kept.length }]);
    const again = await Promise.all([1, 2, 3].map(() => fixture.engine.execute([report(held, lines(401, 402))])));
    expect(again.flat()).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  });

  it('of each attempt count alone, also where two have one number', async () => {
    await append(line(1), line(2));
    await nextLease();
    await append(line(2));
    expect(await append(line(3))).toEqual({ kept: 1, omitted: 0 });
    const of = held.leaseId;
    await nextAttempt();
    await append(line(1), line(2), line(3));
    expect(await sums()).toEqual([
      [1, 2, 0],
      [1, 2, 1],
      [2, 3, 0],
    ]);
    expect((await log(org, held, { attempt: 1 })).lines).toHaveLength(4);
    expect((await log(org, held, { leaseId: of })).lines).toHaveLength(2);
  });

  it('beyond the lines of an attempt are counted', async () => {
    const { lines: most } = jobLogLimits;
    expect(await append(...lines(1, most - 1))).toEqual({ kept: most - 1, omitted: 0 });
    expect(await append(...lines(most, most + 4))).toEqual({ kept: 1, omitted: 4 });
    expect(await append(...lines(most + 5, most + 6))).toEqual({ kept: 0, omitted: 2 });
    expect(await append(...lines(most + 5, most + 6))).toEqual({ kept: 0, omitted: 0 });
    expect(await sums()).toEqual([[1, most, 6]]);
  });

  it('beyond the bytes of an attempt are counted, by their UTF-8', async () => {
    const fields = JSON.stringify('é'.repeat(2_000));
    const fitting = Math.floor(jobLogLimits.bytes / (Buffer.byteLength(fields) + 6));
    const answer = await append(...lines(1, fitting + 3, { message: 'line 1', fields }));
    expect(answer).toEqual({ kept: fitting, omitted: 3 });
    expect(await sums()).toEqual([[1, fitting, 3]]);
  });

  it('say which lines their worker has left out', async () => {
    await append(line(1), line(2));
    expect(await append(line(90), line(91), line(93))).toEqual({ kept: 3, omitted: 88 });
    expect(await sums()).toEqual([[1, 5, 88]]);
  });

  it('of old attempts go when there are too many', async () => {
    const { attempts: most } = jobLogLimits;
    for (let i = 0; i < most + 2; i++) {
      await append(line(1));
      await nextLease();
    }
    const { attempts, lines: left } = await log();
    expect([attempts.length, left.length, left[0]!.run]).toEqual([most, most, 3]);
  });

  describe('of several jobs of one worker', () => {
    let other: ClaimedJob;
    beforeEach(async () => {
      await fixture.run(enqueue(org, [newJob()]));
      other = await fixture.claimOne(org);
    });
    const numbersOf = async (job: ClaimedJob) => (await log(org, job)).lines.map(({ number }) => number);
    const sumsOf = async (job: ClaimedJob) =>
      (await log(org, job)).attempts.map(({ kept, omitted }) => [kept, omitted]);

    it('are kept and counted by the job of each, also by the name of the worker alone', async () => {
      const reports = [report(other, lines(1, 3)), report(held, [line(2)]), report(other, [line(5)])];
      expect(await fixture.engine.execute(reports)).toMatchObject([
        { value: { kept: 3, omitted: 0 } },
        { value: { kept: 1, omitted: 1 } },
        { value: { kept: 1, omitted: 1 } },
      ]);
      // Known lines of one job are new ones of another.
      const again = [report(other, lines(3, 5)), report(held, lines(2, 3))];
      expect(await fixture.engine.execute(again)).toMatchObject([{ value: { kept: 0 } }, { value: { kept: 1 } }]);
      const named = command('job.appendLogs', org, { ...proof({ id: held.id }), lines: [line(9)] });
      expect(await fixture.run(named)).toEqual({ kept: 1, omitted: 5 });
      expect([await numbersOf(other), await numbersOf(held)]).toEqual([
        [1, 2, 3, 5],
        [2, 3, 9],
      ]);
    });

    it('beyond what an attempt keeps are counted by the attempt of each', async () => {
      const { lines: most } = jobLogLimits;
      for (const job of [held, other]) await fixture.run(report(job, lines(1, most)));
      expect(
        await fixture.engine.execute([report(held, [line(most + 2)]), report(other, [line(most + 9)])]),
      ).toMatchObject([{ value: { kept: 0, omitted: 2 } }, { value: { kept: 0, omitted: 9 } }]);
      await nextLease();
      await append(...lines(1, most));
      expect(await append(line(most + 1))).toEqual({ kept: 0, omitted: 1 });
      expect([await sumsOf(held), await sumsOf(other)]).toEqual([
        [
          [most, 2],
          [most, 1],
        ],
        [[most, 9]],
      ]);
    });

    it('go with the old attempts of their own job', async () => {
      await fixture.run(report(other, [line(1)]));
      for (let i = 0; i <= jobLogLimits.attempts; i++) {
        await append(line(1));
        // The next line of an attempt follows its own last one.
        expect(await append(line(3))).toEqual({ kept: 1, omitted: 1 });
        await nextLease();
      }
      expect((await log()).attempts).toHaveLength(jobLogLimits.attempts);
      expect(await numbersOf(other)).toEqual([1]);
    });
  });

  it('fill an attempt to the last byte, over any number of reports', async () => {
    const size = jobLogLimits.bytes / 64;
    const large = (first: number, last: number) => lines(first, last, { message: 'x'.repeat(size) });
    expect(await append(...large(1, 40))).toEqual({ kept: 40, omitted: 0 });
    expect(await append(...large(41, 64))).toEqual({ kept: 24, omitted: 0 });
    expect(await append(line(65, { message: 'x' }))).toEqual({ kept: 0, omitted: 1 });
  });

  it('are refused without the lease, beside those of others that are kept', async () => {
    const other = await fixture.organization();
    await fixture.run(enqueue(other, [newJob()]));
    const theirs = await fixture.claimOne(other);
    const outcomes = await fixture.engine.execute([
      report(held, [line(1)]),
      report(theirs, [line(1)], other),
      report(theirs, [line(2)]),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect((await log(org, theirs)).lines).toEqual([]);
    expect((await log(other, theirs)).lines).toHaveLength(1);
    const stale = held;
    await nextAttempt();
    const lost = refusal(409, 'LEASE_EXPIRED');
    await expect(fixture.run(report(stale, [line(2)]))).rejects.toEqual(lost);
    await expect(fixture.run(report({ ...held, leaseId: stale.leaseId }, [line(2)]))).rejects.toEqual(lost);
    await fixture.pass('31 s');
    await expect(append(line(1))).rejects.toEqual(lost);
    expect(await numbers()).toEqual([1]);
  });

  it('outlive the end of the job, after which nothing is added', async () => {
    await append(line(1));
    await fixture.run(workerCommands(org).complete(held));
    await expect(append(line(2))).rejects.toEqual(refusal(409, 'CONFLICT'));
    expect(await numbers()).toEqual([1]);
  });
});
