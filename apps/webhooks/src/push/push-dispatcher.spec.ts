import { eventually, ManualClock } from '@spooled/testing';
import { DispatcherFixture } from './push-dispatcher.fixture.js';
import type { PushDispatcherOptions } from './push-dispatcher.js';

describe('call slots of one process', () => {
  it('MQ-11 are never all taken by one tenant: another one starts at once while the first one hangs', async () => {
    const fixture = new DispatcherFixture();
    fixture.add({ 'slow/a': 100, 'slow/b': 100, 'fast/a': 0 });
    await fixture.settled();
    expect(fixture.running('slow')).toBe(4);
    fixture.add({ 'slow/a': 0, 'slow/b': 0, 'fast/a': 50 });
    for (let done = 0; done < 50; done++) {
      await fixture.settled();
      expect(fixture.running('fast')).toBeGreaterThan(0);
      fixture.calls.find(({ organizationId }) => organizationId === 'fast')!.end();
    }
    expect(fixture.running('slow')).toBeLessThanOrEqual(4);
  });

  it('MQ-11 are assigned to tenants round robin, however many queues they have', async () => {
    const fixture = new DispatcherFixture({ maxConcurrent: 1 });
    const queues = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`big/q${i}`, 5]));
    fixture.add({ ...queues, 'small/q': 5 });
    const served: string[] = [];
    for (let done = 0; done < 10; done++) {
      await fixture.settled();
      served.push(fixture.calls[0]!.organizationId);
      fixture.calls[0]!.end();
    }
    expect(served).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'big' : 'small')));
  });

  it('MQ-11 are assigned to the queues of a tenant round robin', async () => {
    const fixture = new DispatcherFixture({ maxConcurrent: 1 });
    fixture.add({ 'org/a': 5, 'org/b': 5, 'org/c': 5 });
    const served: string[] = [];
    for (let done = 0; done < 6; done++) {
      await fixture.settled();
      served.push(fixture.calls[0]!.queue);
      fixture.calls[0]!.end();
    }
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('PB-19 are filled by claims of at most so many jobs', async () => {
    const fixture = new DispatcherFixture({ maxPerClaim: 2 });
    fixture.add({ 'org/a': 7 });
    await fixture.settled();
    expect(fixture.running('org')).toBe(4);
    expect(Math.max(...fixture.claims.map(({ limit }) => limit))).toBe(2);
  });

  it('are all released after failed or empty claims', async () => {
    const fixture = new DispatcherFixture();
    fixture.add({ 'org/a': 0 });
    for (let n = 0; n < 20; n++) {
      fixture.wake('org', 'a');
      await fixture.settled();
    }
    expect(fixture.claims).toHaveLength(20);
    fixture.add({ 'org/a': 100 });
    await fixture.settled();
    expect(fixture.running('org')).toBe(4);
  });
});

it('MQ-10 calls no more of a queue at once because it was paused and resumed', async () => {
  const fixture = new DispatcherFixture({ maxConcurrent: 64 });
  fixture.add({ 'org/a': 6 }, { concurrency: 2 });
  await fixture.settled();
  fixture.add({});
  fixture.add({ 'org/a': 0 }, { concurrency: 2 });
  await fixture.settled();
  expect(fixture.running('org')).toBe(2);
  fixture.add({});
  for (const { end } of [...fixture.calls]) end();
  await fixture.settled();
  fixture.add({ 'org/a': 0 }, { concurrency: 2 });
  await fixture.settled();
  expect(fixture.running('org')).toBe(2);
});

describe('MQ-11 the plan of an organization', () => {
  it('limits the calls of all its queues, and of no other organization', async () => {
    const fixture = new DispatcherFixture({ maxConcurrent: 64 });
    fixture.add({ 'capped/a': 5, 'capped/b': 5 }, {}, 3);
    await fixture.settled();
    expect(fixture.running('capped')).toBe(3);
    fixture.calls[0]!.end();
    await fixture.settled();
    expect(fixture.running('capped')).toBe(3);
    fixture.add({ 'other/a': 20 });
    await fixture.settled();
    expect(fixture.running('other')).toBe(20);
  });

  it('holds calls back without displacing any, also when it allows none', async () => {
    const clock = new ManualClock();
    const fixture = new DispatcherFixture({ clock, maxConcurrent: 2 });
    fixture.add({ 'one/q': 1, 'two/q': 1 });
    await fixture.settled();
    fixture.add({ 'none/q': 1 }, {}, 0);
    await fixture.settled();
    await clock.advance(60_000);
    expect([fixture.displaced, fixture.running('none')]).toEqual([[], 0]);
  });
});

describe('BX-03 an organization without a call while all calls are in use', () => {
  const clock = new ManualClock();

  /** Calls of four organizations that never end: 4, 2, 1 and 1. */
  async function filled(): Promise<DispatcherFixture> {
    const fixture = new DispatcherFixture({ clock });
    for (const name of ['most', 'some', 'others']) {
      fixture.add({ [`${name}/q`]: 10 });
      await fixture.settled();
    }
    expect(['most', 'some', 'others'].map((name) => fixture.running(name))).toEqual([4, 2, 1]);
    fixture.add({ 'last/q': 10 });
    await fixture.settled();
    expect(fixture.calls).toHaveLength(8);
    return fixture;
  }

  it('gets the place of the oldest call of the one with the most, half a second later', async () => {
    const fixture = await filled();
    const oldest = fixture.calls.find(({ organizationId }) => organizationId === 'most')!.jobId;
    fixture.add({ 'new/q': 1, 'newer/q': 1 });
    await fixture.settled();
    await clock.advance(499);
    expect(fixture.displaced).toEqual([]);
    await clock.advance(1);
    await fixture.settled();
    expect(fixture.displaced).toHaveLength(2);
    expect(fixture.displaced).toContain(oldest);
    expect(['most', 'some', 'others', 'last', 'new', 'newer'].map((name) => fixture.running(name))).toEqual([
      2, 2, 1, 1, 1, 1,
    ]);
  });

  it('takes no call of others when one ends in time', async () => {
    const fixture = await filled();
    fixture.add({ 'new/q': 1 });
    await fixture.settled();
    fixture.calls[0]!.end();
    await fixture.settled();
    expect(fixture.running('new')).toBe(1);
    await clock.advance(60_000);
    expect(fixture.displaced).toEqual([]);
  });

  it('takes the only call of others after ten seconds of it', async () => {
    const fixture = new DispatcherFixture({ clock, maxConcurrent: 2 });
    fixture.add({ 'one/q': 1, 'two/q': 1 });
    await fixture.settled();
    fixture.add({ 'one/q': 0, 'two/q': 0, 'three/q': 1 });
    await fixture.settled();
    await clock.advance(9_500);
    expect(fixture.displaced).toEqual([]);
    await clock.advance(500);
    await fixture.settled();
    expect(fixture.displaced).toHaveLength(1);
    expect(fixture.running('three')).toBe(1);
  });

  it('gets the bytes of the one whose payloads hold the most', async () => {
    // Payloads have 2 bytes.
    const fixture = new DispatcherFixture({ clock, maxConcurrent: 100, maxPerClaim: 1, maxBytes: 16 });
    fixture.add({ 'most/q': 50 });
    await fixture.settled();
    expect(fixture.running('most')).toBe(4);
    fixture.add({ 'most/q': 0, 'some/q': 50 });
    await fixture.settled();
    fixture.add({ 'most/q': 0, 'some/q': 0, 'others/q': 50 });
    await fixture.settled();
    fixture.add({ 'most/q': 0, 'some/q': 0, 'others/q': 0, 'last/q': 50 });
    await fixture.settled();
    expect(fixture.calls).toHaveLength(8);
    fixture.add({ 'most/q': 0, 'some/q': 0, 'others/q': 0, 'last/q': 0, 'new/q': 1 });
    await clock.advance(500);
    await fixture.settled();
    expect([fixture.running('most'), fixture.running('new')]).toEqual([3, 1]);
  });
});

describe('BX-04 a push queue whose jobs are not called', () => {
  /** Shortages that were reported since the last look, by queue. */
  function reporting(options: Partial<PushDispatcherOptions>) {
    const reported: Record<string, object> = {};
    const to = {
      report: (organizationId: string, queue: string, shortage: object) =>
        void (reported[`${organizationId}/${queue}`] = shortage),
    };
    return { reported, fixture: new DispatcherFixture({ ...options, shortages: { to, keptMs: 3_000 } }) };
  }

  it('is reported with each update while its plan or the process allows no call', async () => {
    const { reported, fixture } = reporting({ maxConcurrent: 4, clock: new ManualClock() });
    fixture.add({ 'capped/q': 5 }, {}, 1);
    await fixture.settled();
    fixture.add({ 'capped/q': 0, 'one/q': 2 }, {}, 1);
    await fixture.settled();
    fixture.add({ 'capped/q': 0, 'one/q': 0, 'two/q': 2 }, {}, 1);
    await fixture.settled();
    fixture.add({ 'capped/q': 0, 'one/q': 0, 'two/q': 0, 'three/q': 2 }, {}, 1);
    await fixture.settled();
    fixture.add({ 'capped/q': 0, 'three/q': 0, 'new/q': 1 }, {}, 1);
    expect(reported['capped/q']).toEqual({ code: 'push_call_limit', running: 1, limit: 1 });
    expect(reported['new/q']).toEqual({
      code: 'no_free_push_call',
      running: 0,
      inUse: 4,
      limit: 4,
      hasBytes: true,
    });
    expect(fixture.dispatcher.waitingQueues).toMatchObject({ no_free_push_call: 1, push_call_limit: 2 });
  });

  it('is not reported when it is called, has no jobs, or is at its own concurrency', async () => {
    const { reported, fixture } = reporting({ maxConcurrent: 64 });
    // Its claim takes all that its plan allows.
    fixture.add({ 'served/q': 2, 'empty/q': 0 }, {}, 3);
    await fixture.settled();
    fixture.add({ 'served/q': 0, 'narrow/q': 5 }, { concurrency: 1 }, 1);
    await fixture.settled();
    fixture.add({ 'served/q': 0, 'narrow/q': 0 }, { concurrency: 1 }, 1);
    expect(reported).toEqual({});
    expect(fixture.dispatcher.waitingQueues).toEqual({ no_free_push_call: 0, push_call_limit: 0, circuit_open: 0 });
  });

  it('is counted while the circuit of its receiver is open', async () => {
    const breaker = { failures: 1, firstPauseMs: 60_000, maxPauseMs: 60_000 };
    const { reported, fixture } = reporting({ breaker });
    fixture.add({ 'org/q': 5 }, { concurrency: 1 });
    await fixture.settled();
    fixture.calls[0]!.end('unreachable');
    await fixture.settled();
    fixture.add({ 'org/q': 0 }, { concurrency: 1 });
    expect([reported, fixture.dispatcher.waitingQueues.circuit_open]).toEqual([{}, 1]);
    await fixture.dispatcher.stop(0);
  });
});

describe('a receiver that does not respond', () => {
  /** Fails the three running calls, which opens the circuit. */
  async function withOpenCalls(options: Partial<PushDispatcherOptions> = {}): Promise<DispatcherFixture> {
    const fixture = new DispatcherFixture({ maxConcurrent: 64, ...options });
    fixture.add({ 'org/a': 20 }, { concurrency: 3 });
    await fixture.settled();
    for (const call of fixture.calls.slice()) call.end('unreachable');
    return fixture;
  }

  it('gets one trial call after a pause, then all calls once it responds', async () => {
    const fixture = await withOpenCalls();
    await eventually(() => expect([fixture.dispatcher.openCircuits, fixture.calls.length]).toEqual([1, 1]));
    fixture.wake('org', 'a');
    await fixture.settled();
    expect(fixture.calls).toHaveLength(1);
    fixture.calls[0]!.end('answered');
    await eventually(() => expect([fixture.dispatcher.openCircuits, fixture.calls.length]).toEqual([0, 3]));
  });

  it('costs no attempts while its circuit is open, and does not affect other queues', async () => {
    const fixture = await withOpenCalls({ breaker: { failures: 3, firstPauseMs: 60_000, maxPauseMs: 60_000 } });
    await fixture.settled();
    const claims = fixture.claims.length;
    for (let n = 0; n < 5; n++) fixture.wake('org', 'a');
    fixture.add({ 'org/a': 0, 'org/b': 2 });
    await fixture.settled();
    expect(fixture.claims.slice(claims).map(({ queue }) => queue)).not.toContain('a');
    expect(fixture.calls.map(({ queue }) => queue)).toEqual(['b', 'b']);
    await fixture.dispatcher.stop(0);
    expect(fixture.dispatcher.openCircuits).toBe(0);
  });

  it('BX-04 is reported with each pause, until it responds, has another URL, or is called no more', async () => {
    const reported: string[] = [];
    const outages = {
      report: (org: string, queue: string, pauseMs: number) => void reported.push(`${org}/${queue} paused ${pauseMs}`),
      end: (org: string, queue: string) => void reported.push(`${org}/${queue} ended`),
    };
    const fixture = await withOpenCalls({ outages });
    await eventually(() => expect(fixture.calls).toHaveLength(1));
    fixture.calls[0]!.end('unreachable');
    await eventually(() => expect(reported).toEqual(['org/a paused 1', 'org/a paused 2']));
    await eventually(() => expect(fixture.calls).toHaveLength(1));
    fixture.calls[0]!.end('answered');
    await eventually(() => expect(reported.splice(0).at(-1)).toBe('org/a ended'));

    const slow = { breaker: { failures: 3, firstPauseMs: 60_000, maxPauseMs: 60_000 }, outages };
    for (const change of [
      (open: DispatcherFixture) => open.add({ 'org/a': 0 }, { callback_url: 'http://two/' }),
      (open: DispatcherFixture) => open.add({}),
    ]) {
      const open = await withOpenCalls(slow);
      await open.settled();
      change(open);
      expect(reported.splice(0)).toEqual(['org/a paused 60000', 'org/a ended']);
      await open.dispatcher.stop(0);
    }
    // Calls that were answered before say nothing.
    expect(reported).toEqual([]);
  });

  it('is called at once after its URL changes', async () => {
    const fixture = await withOpenCalls({ breaker: { failures: 3, firstPauseMs: 60_000, maxPauseMs: 60_000 } });
    await fixture.settled();
    fixture.add({ 'org/a': 0 }, { concurrency: 3, callback_url: 'http://two/' });
    await fixture.settled();
    expect(fixture.calls.map(({ url }) => url)).toEqual(['http://two/', 'http://two/', 'http://two/']);
    await fixture.dispatcher.stop(0);
  });
});

describe("a job's own receiver that does not respond", () => {
  const dead = 'http://dead:1/';

  /** Three calls to it have failed. */
  async function withDead(options: Partial<PushDispatcherOptions> = {}): Promise<DispatcherFixture> {
    const breaker = { failures: 3, firstPauseMs: 60_000, maxPauseMs: 60_000 };
    const fixture = new DispatcherFixture({ maxConcurrent: 64, breaker, ...options });
    fixture.addOwn('org/a', 3, dead);
    fixture.add({ 'org/a': 0 });
    await fixture.settled();
    for (const call of fixture.calls.slice()) call.end('unreachable');
    await fixture.settled();
    return fixture;
  }

  it('MQ-10 postpones its jobs without an attempt, and nothing else of the queue or of another tenant', async () => {
    const fixture = await withDead();
    expect(fixture.dispatcher.openCircuits).toBe(1);
    fixture.addOwn('org/a', 12, `${dead}another/path`);
    fixture.addOwn('org/a', 1, 'http://live:1/');
    fixture.addOwn('other/a', 1, dead);
    fixture.add({ 'org/a': 2, 'other/a': 0 });
    await fixture.settled();
    expect(fixture.calls.map(({ organizationId, url }) => `${organizationId} ${url}`).sort()).toEqual([
      'org http://live:1/',
      'org http://one/',
      'org http://one/',
      `other ${dead}`,
    ]);
    expect(fixture.postponed).toHaveLength(12);
    for (const { delayMs } of fixture.postponed) expect(delayMs).toBeGreaterThan(50_000);
    expect(fixture.released).toEqual([]);
    await fixture.dispatcher.stop(0);
  });

  it('BX-04 is reported by its origin, called once after the pause, and by all jobs once it responds', async () => {
    const reported: unknown[] = [];
    const outages = {
      report: (org: string, receiver: unknown, pauseMs: number) => void reported.push([org, receiver, pauseMs]),
      end: (org: string, receiver: unknown) => void reported.push([org, receiver, 'ended']),
    };
    const fixture = await withDead({ outages, breaker: { failures: 3, firstPauseMs: 1, maxPauseMs: 1 } });
    const receiver = { origin: 'http://dead:1' };
    expect(reported).toEqual([['org', receiver, 1]]);
    await eventually(async () => {
      fixture.addOwn('org/a', 2, dead);
      fixture.add({ 'org/a': 0 });
      await fixture.settled();
      expect(fixture.calls).toHaveLength(1);
    });
    fixture.calls[0]!.end('answered');
    await fixture.settled();
    expect(reported.at(-1)).toEqual(['org', receiver, 'ended']);
    fixture.addOwn('org/a', 5, dead);
    fixture.add({ 'org/a': 0 });
    await fixture.settled();
    expect([fixture.calls.length, fixture.dispatcher.openCircuits]).toEqual([5, 0]);
    await fixture.dispatcher.stop(0);
  });
});

it('releases jobs claimed during shutdown', async () => {
  const fixture = new DispatcherFixture();
  fixture.add({ 'org/a': 3 });
  await fixture.dispatcher.stop(1_000);
  expect([fixture.calls, fixture.released]).toEqual([[], ['org/a#0', 'org/a#1', 'org/a#2']]);
});
