import { ManualClock } from '@spooled/testing';
import { JobReceivers } from './job-receivers.js';
import type { Reachability } from './receiver-circuits.js';

const origin = 'https://a.example';

function receivers() {
  const clock = new ManualClock();
  const all = new JobReceivers({ failures: 2, firstPauseMs: 100, maxPauseMs: 400 }, clock);
  /** Calls one after another; returns their pauses. */
  const call = (org: string, ...ends: Reachability[]) =>
    ends.map((reached) => all.record(all.begin(org, origin), reached).pauseMs);
  return { all, call, clock };
}

describe('the circuits of receivers that jobs name', () => {
  it('MQ-10 open for one organization and one origin, and delay their calls until the pause has ended', async () => {
    const { all, call, clock } = receivers();
    expect(call('one', 'unreachable', 'answered', 'unreachable', 'unreachable')).toEqual([0, 0, 0, 100]);
    expect(all.open).toBe(1);
    for (let n = 0; n < 20; n++) {
      const delay = all.delayMs('one', origin);
      expect(delay).toBeGreaterThanOrEqual(100);
      expect(delay).toBeLessThanOrEqual(150);
    }
    expect([all.delayMs('two', origin), all.delayMs('one', 'https://b.example')]).toEqual([0, 0]);
    await clock.advance(100);
    expect(all.delayMs('one', origin)).toBe(0);
  });

  it('MQ-10 allow one trial call at a time, whose failure doubles the pause and whose response ends it', async () => {
    const { all, call, clock } = receivers();
    call('one', 'unreachable', 'unreachable');
    await clock.advance(100);
    const trial = all.begin('one', origin);
    expect(all.delayMs('one', origin)).toBeGreaterThanOrEqual(100);
    await clock.advance(10_000);
    expect(all.delayMs('one', origin)).toBeGreaterThanOrEqual(100);
    expect(all.record(trial, 'unreachable')).toEqual({ pauseMs: 200, hasRecovered: false });
    await clock.advance(200);
    expect(all.record(all.begin('one', origin), 'answered')).toEqual({ pauseMs: 0, hasRecovered: true });
    expect([all.open, all.delayMs('one', origin)]).toEqual([0, 0]);
    expect(call('one', 'unreachable')).toEqual([0]);
  });

  it('MQ-10 try again at once after an aborted trial call', async () => {
    const { all, call, clock } = receivers();
    call('one', 'unreachable', 'unreachable');
    await clock.advance(100);
    expect(all.record(all.begin('one', origin), 'unknown')).toEqual({ pauseMs: 0, hasRecovered: false });
    expect(all.delayMs('one', origin)).toBe(0);
    expect(all.open).toBe(1);
  });

  it('MQ-10 are kept while a trial call lasts, which may take an hour', async () => {
    const { all, call, clock } = receivers();
    call('one', 'unreachable', 'unreachable');
    await clock.advance(100);
    const trial = all.begin('one', origin);
    await clock.advance(3_600_000);
    all.forgetIdle();
    expect(all.delayMs('one', origin)).toBeGreaterThan(0);
    expect(all.record(trial, 'answered').hasRecovered).toBe(true);
  });

  it('PB-19 are forgotten after a long time, and the oldest of an organization that has very many', async () => {
    const { all, call, clock } = receivers();
    call('one', 'unreachable', 'unreachable');
    for (let n = 0; n < 1_000; n++) {
      for (let i = 0; i < 2; i++) all.record(all.begin('many', `https://${n}.example`), 'unreachable');
    }
    expect(all.open).toBe(1_001);
    for (let i = 0; i < 2; i++) all.record(all.begin('many', 'https://new.example'), 'unreachable');
    expect([all.open, all.delayMs('many', 'https://0.example')]).toEqual([1_001, 0]);
    expect(all.delayMs('many', 'https://new.example')).toBeGreaterThan(0);
    await clock.advance(599_000);
    all.forgetIdle();
    expect(all.open).toBe(1_001);
    await clock.advance(2_000);
    all.forgetIdle();
    expect(all.open).toBe(0);
  });
});
