import { type CommandTransport, TransportLostError } from '@spooled/contracts';
import { eventually, claim, enqueue, ManualClock, newJob, openConnections } from '@spooled/testing';
import { CommandPath } from '../engine/command-path.js';
import { fence } from '../engine/fences.js';
import { GroupCommit } from '../engine/group-commit.js';
import { JobEngine } from '../engine/job-engine.js';
import { EffectsBuilder } from '../step/effects.js';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { ClaimCursors } from './claim-cursor.js';
import { claimBatch } from './claim.js';
import { UnansweredClaims } from './unanswered-claims.js';

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

  it('releases them when the engine closes, and does nothing afterwards', async () => {
    const org = await fixture.organization();
    const job = newJob({ maxRetries: 0 });
    await fixture.run(enqueue(org, [job]));
    const lost = { ...claim(org), delivery: 1 };
    await fixture.run(lost);
    const clock = new ManualClock();
    let releases = 0;
    const unanswered = new UnansweredClaims(clock, async (command) => {
      releases++;
      return (await fixture.engine.execute([command]))[0]!.ok;
    });
    unanswered.add([lost]);
    await unanswered.close();
    expect(await fixture.job(job.id)).toMatchObject({ status: 'pending', retry_count: 0, lease_id: null });
    unanswered.add([lost]);
    expect({ releases, timers: clock.timers }).toEqual({ releases: 1, timers: [] });
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
