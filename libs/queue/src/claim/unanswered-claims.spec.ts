import { type CommandOf, type CommandTransport, systemActor, TransportLostError } from '@spooled/contracts';
import { eventually, claim, enqueue, ManualClock, newJob, openConnections } from '@spooled/testing';
import { CommandPath } from '../engine/command-path.js';
import { fence } from '../engine/fences.js';
import { GroupCommit } from '../engine/group-commit.js';
import { JobEngine } from '../engine/job-engine.js';
import { EffectsBuilder } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors } from './claim-cursor.js';
import { claimBatch } from './claim.js';
import { releasesOf, UnansweredClaims } from './unanswered-claims.js';

describe('a claim that was answered without the jobs that it was granted', () => {
  const fixture = useEngine();

  it('BX-02 releases them without costing an attempt as soon as PostgreSQL is back, and is granted nothing later', async () => {
    const org = await fixture.organization();
    const job = newJob({ maxRetries: 0 });
    await fixture.run(enqueue(org, [job]));
    const lost = { ...claim(org), delivery: 1 };
    await fixture.run(lost);
    const clock = new ManualClock();
    let failures = 1;
    const unanswered = new UnansweredClaims(clock, async (command) => {
      if (failures-- > 0) return false;
      return (await fixture.engine.execute([command]))[0]!.ok;
    });
    unanswered.add([lost, enqueue(org, [])]);
    // After the first failure it waits for twice as long.
    await clock.advance(1_000);
    expect(clock.timers).toEqual([2_000]);
    await clock.advance(2_000);
    await eventually(async () =>
      expect(await fixture.job(job.id)).toMatchObject({ status: 'pending', retry_count: 0, lease_id: null }),
    );
    await expect(fixture.run(lost)).rejects.toMatchObject({ status: 409 });
    expect((await fixture.run(claim(org))).jobs).toMatchObject([{ id: job.id, retryCount: 0 }]);
  });

  it('BX-02 releases what is committed only after the claim was taken over from an engine that seemed dead', async () => {
    const org = await fixture.organization();
    const job = newJob({ maxRetries: 0 });
    await fixture.run(enqueue(org, [job]));
    const sent = { ...claim(org), delivery: 1 };
    const [granted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = fixture.db.inBatch(async (tx) => {
      const step = claimBatch(new ClaimCursors(new ManualClock()));
      await Promise.all([fence(tx, [sent]), step(tx, [sent], new EffectsBuilder())]);
      granted.resolve();
      await mayCommit.promise;
    });
    await granted.promise;

    const clock = new ManualClock();
    const engine = new JobEngine(fixture.db, { onEffects: () => undefined, clock });
    const send = () => Promise.reject(new TransportLostError('no engine is alive'));
    const transport = { state: () => 'ready', send } as unknown as CommandTransport;
    const path = new CommandPath({ mode: 'auto', transport, local: new GroupCommit(engine) });
    expect(await path.run(sent)).toEqual({ jobs: [] });
    mayCommit.resolve();
    await slow;
    expect(await fixture.job(job.id)).toMatchObject({ status: 'processing' });
    await clock.advance(1_000);
    await eventually(async () =>
      expect(await fixture.job(job.id)).toMatchObject({ status: 'pending', retry_count: 0, lease_id: null }),
    );
    await clock.until(engine.close());
  });

  it('BX-02 leaves them to the worker that a later delivery has answered, and releases those that are of its own', async () => {
    const org = await fixture.organization();
    const other = await fixture.organization();
    const jobs = [newJob(), newJob(), newJob()];
    await fixture.run(enqueue(org, jobs));
    const claims = [
      { ...claim(org), redelivered: true, delivery: 2 },
      { ...claim(org), redelivered: true, delivery: 2 },
      { ...claim(org), delivery: 1 },
    ] as const;
    for (const one of claims) await fixture.run(one);
    const [taken, again, first] = claims;
    // A claim of another organization with the same id says nothing about this one.
    await fixture.run({ ...taken, id: first.id, organizationId: other });
    const clock = new ManualClock();
    const unanswered = new UnansweredClaims(clock, async (one) => (await fixture.engine.execute([one]))[0]!.ok);
    unanswered.add([{ ...taken, delivery: 1 }, again, first]);
    await unanswered.close();
    const states = await Promise.all(jobs.map(async ({ id }) => (await fixture.job(id)).status));
    expect(states).toEqual(['processing', 'pending', 'pending']);
  });

  it('closes with its engine', async () => {
    const clock = new ManualClock();
    const unreachable = openConnections({ appUrl: 'postgres://spooled_app@127.0.0.1:9/none' });
    const engine = new JobEngine(unreachable, { onEffects: () => undefined, clock });
    const [outcome] = await clock.until(engine.execute([claim(await fixture.organization())]));
    expect({ ok: outcome!.ok, timers: clock.timers.length }).toEqual({ ok: false, timers: 1 });
    await clock.until(engine.close());
    await unreachable.close();
    expect(clock.timers).toEqual([]);
  });
});

describe('claims without an answer', () => {
  let clock: ManualClock;
  /** Whose releases fail. */
  let failing: Set<string>;
  /** The organization and the claims of each release. */
  let releases: [organizationId: string, ...claimIds: string[]][];
  let unanswered: UnansweredClaims;
  beforeEach(() => {
    clock = new ManualClock();
    failing = new Set();
    releases = [];
    unanswered = new UnansweredClaims(clock, (command) => {
      const { organizationId, body } = command as CommandOf<'job.release'>;
      releases.push([organizationId, ...body.claims!.map(({ claimId }) => claimId)]);
      return Promise.resolve(!failing.has(organizationId));
    });
  });
  /** The releases since the last call. */
  const next = async (ms: number) => {
    await clock.advance(ms);
    return releases.splice(0);
  };

  it('BX-02 are released three times, a second apart, in one command of each organization', async () => {
    const [one, other, two] = [claim('b'), claim('a'), claim('b')];
    unanswered.add([one, enqueue('c', []), other]);
    unanswered.add([two]);
    expect(clock.timers).toEqual([1_000]);
    const all = [
      ['b', one.id, two.id],
      ['a', other.id],
    ];
    expect(await next(999)).toEqual([]);
    expect([await next(1), await next(1_000), await next(1_000)]).toEqual([all, all, all]);
    expect(clock.timers).toEqual([]);
    unanswered.add([enqueue('c', [])]);
    expect(clock.timers).toEqual([]);
    unanswered.add([two]);
    expect(await next(1_000)).toEqual([['b', two.id]]);
  });

  it('BX-03 of one organization that cannot be served hold up those of the others once', async () => {
    failing.add('a');
    const [a, b, c] = [claim('a'), claim('b'), claim('c')];
    unanswered.add([a, b, c]);
    expect(await next(1_000)).toEqual([['a', a.id]]);
    expect(await next(2_000)).toEqual([
      ['b', b.id],
      ['c', c.id],
      ['a', a.id],
    ]);
    failing.delete('a');
    expect((await next(1_000)).map(([organizationId]) => organizationId)).toEqual(['b', 'c', 'a']);
  });

  it('wait twice as long after each failure, up to 15 s, and a second again when PostgreSQL is back', async () => {
    failing.add('a');
    unanswered.add([claim('a')]);
    const pauses: number[] = [];
    for (let round = 0; round < 6; round++) {
      const [pause] = clock.timers as [number];
      pauses.push(pause);
      expect(await next(pause)).toHaveLength(1);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    failing.clear();
    expect(await next(15_000)).toHaveLength(1);
    expect(clock.timers).toEqual([1_000]);
  });

  it('are 10,000 at most', async () => {
    unanswered.add(Array.from({ length: 10_001 }, () => claim('a')));
    const [release] = await next(1_000);
    expect(release!.slice(1)).toHaveLength(10_000);
  });

  it('are released once more at the end, after a release that is running, and none afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const started: string[] = [];
    unanswered = new UnansweredClaims(clock, ({ organizationId }) => {
      started.push(organizationId);
      return promise;
    });
    unanswered.add([claim('a')]);
    await clock.advance(1_000);
    const closed = unanswered.close();
    await clock.advance(0);
    expect(started).toEqual(['a']);
    resolve(true);
    await closed;
    unanswered.add([claim('b')]);
    expect([started, clock.timers]).toEqual([['a', 'a'], []]);
  });

  it('are released by a command of the server', () => {
    const one = claim('a', { queueName: 'images', workerId: 'w9' });
    const [release] = releasesOf([one]);
    expect(release).toMatchObject({
      kind: 'job.release',
      ttlMs: one.ttlMs,
      actor: systemActor('unanswered-claim'),
      body: { leases: [], claims: [{ claimId: one.id, queueName: 'images', workerId: 'w9' }] },
    });
    expect(release!.body.claims![0]!.delivery).toBeUndefined();
  });
});
