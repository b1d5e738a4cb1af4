import type { Command, LeaseStore } from '@spooled/contracts';
import { CommitLostError } from '@spooled/data-access';
import { notFound, unavailable } from '@spooled/domain';
import { claim, command, enqueue, ManualClock, newJob } from '@spooled/testing';
import { JobEngine, type JobEngineOptions } from './job-engine.js';
import { type Attempt, ScriptedDatabase } from './scripted-database.fixture.js';

const coded = (code: string) => Object.assign(new Error('from PostgreSQL'), { code });
const lockTimeout = () => coded('55P03');
const invalidText = () => coded('22P02');
const away = () => unavailable('PostgreSQL', 1, coded('ECONNREFUSED'));

const ok = { ok: true };
const refused = (status: number) => ({ ok: false, error: { status } });

let clock: ManualClock;
let db: ScriptedDatabase;
/** What the engine has reported. */
let told: string[];
beforeEach(() => {
  clock = new ManualClock();
  db = new ScriptedDatabase();
  told = [];
});

function open(more: Partial<JobEngineOptions> = {}): JobEngine {
  return new JobEngine(db.asDatabase(), {
    clock,
    onEffects: () => told.push('effects'),
    onError: (_, what) => told.push(what),
    onBlocked: (organizationId) => told.push(`${organizationId} is blocked`),
    ...more,
  });
}
const execute = (engine: JobEngine, commands: Command[]) => clock.until(engine.execute(commands));

const claims = (organizationId: string, ...workers: string[]): Command[] =>
  workers.map((workerId) => claim(organizationId, { workerId }));
const proof = (workerId: string) => ({ jobId: `job of ${workerId}`, workerId, leaseId: null });
const completion = (organizationId: string, workerId: string): Command =>
  command('job.complete', organizationId, { ...proof(workerId), queues: null, result: null });
const completions = (organizationId: string, ...workers: string[]): Command =>
  command('job.completeMany', organizationId, {
    queues: null,
    jobs: workers.map((workerId) => ({ ...proof(workerId), result: null })),
  });
const renewal = (organizationId: string, workerId: string): Command =>
  command('job.renew', organizationId, { ...proof(workerId), queues: null, leaseSeconds: 30 });

/** Transactions with one of these workers fail. */
const failWith = (error: () => Error, ...workers: string[]) => {
  db.end = ({ commands }) => {
    if (commands.some((worker) => workers.includes(worker))) throw error();
  };
};
/** The next transactions fail with these errors, one each. */
const failNext = (...errors: Error[]) => {
  db.end = () => {
    const error = errors.shift();
    if (error) throw error;
  };
  return errors;
};
const lockMs = ({ limits }: Attempt) => limits?.lockMs;
/** Each transaction: how long it waited for locks, and its commands. */
const runs = () => db.batches.map((attempt) => [lockMs(attempt), ...attempt.commands]);

describe('a shared transaction that PostgreSQL rejects', () => {
  it('runs again by kind and organization, then by command, so that the culprit fails alone', async () => {
    failWith(invalidText, 'a2');
    const commands = [...claims('a', 'a1', 'a2'), ...claims('b', 'b1'), completion('a', 'a3')];
    expect(await execute(open(), commands)).toMatchObject([ok, refused(500), ok, ok]);
    expect(db.commands).toEqual([['a3', 'a1', 'a2', 'b1'], ['a1', 'a2'], ['a1'], ['a2'], ['b1'], ['a3']]);
    expect(told).toEqual(['1 commands, first of kind job.claim']);
    // It was granted nothing.
    expect(clock.timers).toEqual([]);
  });

  it('runs the jobs of one command by themselves, if it has several', async () => {
    failWith(invalidText, 'a2');
    const commands = [completions('a', 'a1', 'a2'), ...claims('b', 'b1')];
    const partly = { ok: true, value: { outcomes: [ok, refused(500)] } };
    expect(await execute(open(), commands)).toMatchObject([partly, ok]);
    expect(db.commands).toEqual([['a1', 'a2', 'b1'], ['a1', 'a2'], ['a1', 'a2'], ['a1'], ['a2'], ['b1']]);
    expect(await execute(open(), [completions('a', 'a2')])).toMatchObject([refused(500)]);
  });
});

describe('a transaction that PostgreSQL does not answer', () => {
  it('runs three times in all and is not split, and its claims are released later', async () => {
    db.end = () => {
      throw away();
    };
    const engine = open();
    const commands = [...claims('a', 'a1', 'a2'), ...claims('b', 'b1'), completion('a', 'a3')];
    const failed = engine.execute(commands);
    await clock.advance(150);
    expect(await failed).toMatchObject(commands.map(() => refused(503)));
    expect(db.commands).toEqual([1, 2, 3].map(() => ['a3', 'a1', 'a2', 'b1']));
    const retried = 'connection lost, retrying';
    expect(told).toEqual([retried, retried, '4 commands, first of kind job.claim']);
    db.end = () => undefined;
    await clock.advance(1_000);
    const released = db.attempts.filter(({ organizationId }) => organizationId !== null);
    expect(released.map(({ organizationId }) => organizationId)).toEqual(['a', 'b']);
    await engine.close();
    expect(clock.timers).toEqual([]);
  });

  it('is not split into the jobs of one command either', async () => {
    db.end = () => {
      throw away();
    };
    expect(await execute(open(), [completions('a', 'a1', 'a2')])).toMatchObject([refused(503)]);
    expect(db.commands).toEqual([1, 2, 3].map(() => ['a1', 'a2']));
  });

  it('may have committed: its commands look for their own work in every later run, also when its caller starts it', async () => {
    let lost = 1;
    db.end = ({ commands }) => {
      if (lost-- > 0) throw new CommitLostError(coded('ECONNRESET'));
      if (commands.length > 1) throw lockTimeout();
    };
    const alone = [...claims('a', 'a1'), ...claims('b', 'b1')];
    expect(await execute(open(), alone)).toMatchObject([ok, ok]);
    expect(db.batches.map(({ repeated }) => repeated)).toEqual([[], ['a1', 'b1'], ['a1'], ['b1']]);

    for (const reason of ['blocked', 'full']) {
      failNext(new CommitLostError(coded('ECONNRESET')), ...(reason === 'blocked' ? [lockTimeout()] : []));
      db.fits = reason === 'full' ? 0 : Infinity;
      const engine = open();
      const one = claims('a', reason);
      expect(await clock.until(engine.executeShared(one, 'commands'))).toEqual([reason]);
      db.fits = Infinity;
      expect(await engine.execute(one)).toMatchObject([ok]);
      expect(db.batches.at(-1)).toMatchObject({ commands: [reason], repeated: [reason] });
    }
  });

  it('was superseded and is so no more, which says nothing about its commands', async () => {
    failNext(coded('SPF01'));
    expect(await execute(open(), claims('a', 'a1'))).toMatchObject([refused(503)]);
    expect(clock.timers).toHaveLength(1);
    failNext(coded('SPF01'), invalidText());
    expect(await execute(open(), claims('a', 'a1'))).toMatchObject([refused(500)]);
  });
});

describe('a shared transaction that waits too long for a lock', () => {
  it('runs again by kind and organization, then by command, of which only those that are blocked wait and fail', async () => {
    failWith(lockTimeout, 'a2');
    const commands = [...claims('a', 'a1', 'a2'), ...claims('b', 'b1')];
    expect(await execute(open(), commands)).toMatchObject([ok, refused(503), ok]);
    expect(runs()).toEqual([
      [100, 'a1', 'a2', 'b1'],
      [100, 'a1', 'a2'],
      [1_500, 'b1'],
      [1_500, 'a1'],
      [1_500, 'a2'],
    ]);
    expect(told).toEqual(['a is blocked', 'a is blocked', '1 commands, first of kind job.claim']);
  });

  it('runs the jobs of a command by themselves, if it has several', async () => {
    failWith(lockTimeout, 'a2');
    const [outcome] = await execute(open(), [completions('a', 'a1', 'a2')]);
    expect(outcome).toMatchObject({ ok: true, value: { outcomes: [ok, refused(503)] } });
    expect(runs()).toEqual([
      [100, 'a1', 'a2'],
      [1_500, 'a1', 'a2'],
      [100, 'a1', 'a2'],
      [1_500, 'a1'],
      [1_500, 'a2'],
    ]);
  });

  it.each([
    [400, 100],
    [60, 25],
  ])(
    'is searched for the organization that blocks it, which is left to the caller: %i ms, then %i',
    async (at, then) => {
      failWith(lockTimeout, 'a2');
      const engine = open({ sharedLockMs: at });
      const commands = [...claims('a', 'a1', 'a2'), ...claims('b', 'b1')];
      expect(await engine.executeShared(commands, 'organizations')).toMatchObject(['blocked', 'blocked', ok]);
      expect(runs()).toEqual([
        [at, 'a1', 'a2', 'b1'],
        [then, 'a1', 'a2'],
        [then, 'b1'],
      ]);
      expect(told).toEqual(['a is blocked']);
    },
  );

  it('of one organization is searched for the commands that block it, which are left to the caller', async () => {
    failWith(lockTimeout, 'a2');
    const commands = [...claims('a', 'a1', 'a2'), completion('a', 'a3')];
    expect(await open().executeShared(commands, 'commands')).toMatchObject([ok, 'blocked', ok]);
    expect(runs()).toEqual([
      [100, 'a3', 'a1', 'a2'],
      [25, 'a1', 'a2'],
      [25, 'a3'],
      [25, 'a1'],
      [25, 'a2'],
    ]);
    expect(told).toEqual(['a is blocked', 'a is blocked', 'a is blocked']);
  });

  it('starts no command later than 4 s after the timeout, when its caller hardly waits any more', async () => {
    let before = 0;
    const ms: Record<string, number> = { a1: 3_990, a2: 1 };
    db.end = async ({ commands }) => {
      const [first] = commands as [string];
      if (commands.length === 1) return ms[first] && clock.advance(ms[first]);
      if (before++ > 0) await clock.advance(10);
      throw lockTimeout();
    };
    const commands = [...claims('a', 'a1', 'a2', 'a3'), ...claims('b', 'b1')];
    expect(await open().execute(commands)).toMatchObject([ok, ok, refused(503), ok]);
    expect(db.commands).toEqual([['a1', 'a2', 'a3', 'b1'], ['a1', 'a2', 'a3'], ['b1'], ['a1'], ['a2']]);
  });

  it('takes few connections for its parts', async () => {
    let running = 0;
    let most = 0;
    db.end = async ({ commands }) => {
      if (commands.length > 1) throw lockTimeout();
      most = Math.max(most, ++running);
      await clock.advance(0);
      running--;
    };
    const organizations = Array.from('abcdef', (organizationId) => claims(organizationId, organizationId)).flat();
    const mostOf = async (run: (engine: JobEngine) => Promise<unknown>) => {
      most = 0;
      await run(open());
      return most;
    };
    expect([
      await mostOf((engine) => engine.executeShared(organizations, 'organizations')),
      await mostOf((engine) => engine.executeShared(claims('a', 'a1', 'a2', 'a3', 'a4'), 'commands')),
      await mostOf((engine) => engine.execute(organizations)),
      // The second organization is there, so that the first one is split a second time.
      await mostOf((engine) => engine.execute([...claims('a', 'a1', 'a2', 'a3'), ...claims('b', 'b1', 'b2')])),
    ]).toEqual([5, 3, 3, 2]);
  });

  it('waits longer when transactions last longer', async () => {
    const engine = open();
    db.end = () => clock.advance(1_000);
    await engine.execute(claims('a', 'first'));
    db.end = () => undefined;
    await engine.execute(claims('a', 'second'));
    await open().execute(claims('a', 'third'));
    expect(runs()).toEqual([
      [100, 'first'],
      [400, 'second'],
      [100, 'third'],
    ]);
  });
});

describe('commands of one batch', () => {
  it('that a transaction had no bytes left for run in the next ones, until all have their outcome', async () => {
    db.fits = 2;
    const outcomes = await open().execute(claims('a', '1', '2', '3', '4', '5'));
    expect(outcomes).toEqual(outcomes.map(() => ({ ok: true, value: { jobs: [] } })));
    expect(db.commands).toEqual([['1', '2', '3', '4', '5'], ['3', '4', '5'], ['5']]);
  });

  it('tell what they did, and nothing when they did nothing', async () => {
    await open().execute(claims('a', 'a1'));
    expect(told).toEqual([]);
    expect(await open().execute([enqueue('a', [newJob()])])).toMatchObject([ok]);
    expect(told).toEqual(['effects']);
  });

  it('share their transaction with renewals, unless Redis may answer those', async () => {
    const renewals: [string, number][] = [];
    const onRenewals = (answeredBy: string, count: number) => void renewals.push([answeredBy, count]);
    const commands = [...claims('a', 'claim'), renewal('a', 'in Redis'), renewal('a', 'in its row')];
    const end = (leaseExpiresAt: string) => ({ ok: true, value: { leaseExpiresAt } });
    expect((await open({ onRenewals }).execute(commands)).slice(1)).toEqual([end('in its row'), end('in its row')]);
    expect(db.commands).toEqual([['in Redis', 'in its row', 'claim']]);
    expect(renewals).toEqual([['row', 2]]);

    const renew: LeaseStore['renew'] = (asked) =>
      Promise.resolve(asked.map(({ workerId }) => (workerId === 'in Redis' ? 'in Redis' : null)));
    const leases = { renew } as LeaseStore;
    expect((await open({ onRenewals, leases }).execute(commands)).slice(1)).toEqual([
      end('in Redis'),
      end('in its row'),
    ]);
    expect(db.commands.slice(1).sort()).toEqual([['claim'], ['in its row']]);
    await open({ onRenewals, leases }).execute([renewal('a', 'in Redis')]);
    await open({ onRenewals }).execute(claims('a', 'no renewal'));
    expect(db.commands.slice(3)).toEqual([['no renewal']]);
    expect(renewals.slice(1)).toEqual([
      ['lease_store', 1],
      ['row', 1],
      ['lease_store', 1],
      ['row', 0],
    ]);
  });

  it('have their outcomes also in an engine that tells nobody', async () => {
    const engine = new JobEngine(db.asDatabase(), { clock, onEffects: () => undefined });
    failWith(lockTimeout, 'a1');
    expect(await engine.execute(claims('a', 'a1'))).toMatchObject([refused(503)]);
    const leases = { renew: () => Promise.resolve([null]) } as unknown as LeaseStore;
    for (const more of [{}, { leases }]) {
      const renewing = new JobEngine(db.asDatabase(), { clock, onEffects: () => undefined, ...more });
      expect(await renewing.execute([renewal('a', 'w')])).toMatchObject([ok]);
    }
    db.end = () => {
      throw away();
    };
    expect(await execute(engine, claims('a', 'a2'))).toMatchObject([refused(503)]);
  });
});

describe('a rare command', () => {
  const cancel = () => command('job.cancel', 'a', { jobId: newJob().id, queues: null });
  const issuedAt = '2026-01-01T00:00:00Z';
  const purge = () =>
    command('deadletter.purge', 'a', { jobIds: null, queueName: null, olderThan: null, limit: 1, issuedAt });

  it('has a minute if it may touch everything that its organization has, and is beside the others', async () => {
    db.end = ({ organizationId }) => {
      if (organizationId) throw notFound('Job');
    };
    const commands: Command[] = [cancel(), ...claims('a', 'a1'), purge()];
    expect(await open().execute(commands)).toMatchObject([refused(404), ok, refused(404)]);
    const rare = db.attempts.filter(({ organizationId }) => organizationId !== null);
    expect(rare.map(({ limits }) => limits)).toEqual([undefined, { timeoutMs: 60_000 }]);
    expect(told).toEqual([]);
  });

  it('is refused with 503 when PostgreSQL does not answer three times, and logged with its kind', async () => {
    db.end = () => {
      throw away();
    };
    expect(await execute(open(), [cancel()])).toMatchObject([refused(503)]);
    expect(told).toEqual(['connection lost, retrying', 'connection lost, retrying', 'job.cancel']);
    const silent = new JobEngine(db.asDatabase(), { clock, onEffects: () => undefined });
    expect(await execute(silent, [{ ...cancel(), redelivered: true }])).toMatchObject([refused(503)]);
  });

  it.each([
    ['that was delivered before', () => ({ ...cancel(), redelivered: true }), [notFound('Job')]],
    ['that has run before', cancel, [coded('40P01'), notFound('Job')]],
  ])('%s and is refused keeps its refusal, also when that cannot be logged', async (_, make, errors) => {
    for (const more of [{}, { onError: undefined }]) {
      const left = failNext(...errors, away());
      expect(await open(more).execute([make()])).toMatchObject([refused(404)]);
      expect(left).toEqual([]);
    }
    expect(told.at(-1)).toBe('log the refusal of job.cancel');
  });

  it('that is refused the first time leaves nothing in the log', async () => {
    db.end = () => {
      throw notFound('Job');
    };
    expect(await open().execute([cancel()])).toMatchObject([refused(404)]);
    expect(db.attempts).toHaveLength(1);
  });
});
