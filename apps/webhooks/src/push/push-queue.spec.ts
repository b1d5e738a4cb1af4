import { ManualClock } from '@spooled/testing';
import { PushQueue } from './push-queue.js';

const target = { url: 'https://example.com/', secret: null, headers: {}, timeoutSeconds: null, concurrency: 4 };
const circuit = { failures: 2, firstPauseMs: 1_000, maxPauseMs: 8_000 };

function openQueue() {
  const clock = new ManualClock();
  const resumed: number[] = [];
  const began = clock.monotonic();
  const queue = new PushQueue('org', 'emails', target, { used: 0 }, circuit, clock, () =>
    resumed.push(clock.monotonic() - began),
  );
  return { queue, clock, resumed };
}

describe('the pause of a push queue', () => {
  it.each([
    ['the longer one comes first', [10_000, 100]],
    ['the longer one comes last', [100, 10_000]],
  ])('is the longest of several: %s', async (_, pauses) => {
    const { queue, clock, resumed } = openQueue();
    for (const pause of pauses) queue.pause(pause);
    await clock.advance(9_999);
    expect([queue.available, resumed]).toEqual([0, []]);
    await clock.advance(1);
    expect([queue.available, resumed]).toEqual([4, [10_000]]);
  });

  it('begins when it is asked for, whatever is left of the one before', async () => {
    const { queue, clock, resumed } = openQueue();
    queue.pause(1_000);
    await clock.advance(600);
    queue.pause(1_000);
    await clock.advance(10_000);
    queue.pause(50);
    await clock.advance(50);
    expect(resumed).toEqual([1_600, 10_650]);
  });

  it('ends with a new receiver, and with the queue', async () => {
    const { queue, clock, resumed } = openQueue();
    queue.pause(1_000);
    queue.setTarget({ ...target, concurrency: 2 });
    expect(queue.available).toBe(0);
    queue.setTarget({ ...target, url: 'https://example.org/' });
    expect(queue.available).toBe(4);
    queue.close();
    queue.pause(1_000);
    await clock.advance(10_000);
    expect(resumed).toEqual([]);
    clock.assertIdle();
  });
});

describe('the free slots of a push queue', () => {
  it('are those that calls and claims leave of its concurrency', () => {
    const { queue } = openQueue();
    queue.slots.used = 3;
    expect(queue.available).toBe(1);
    queue.setTarget({ ...target, concurrency: 3 });
    expect(queue.available).toBe(0);
  });

  it('are one for a trial call while the circuit is open, and none while a claim may provide it', async () => {
    const { queue, clock } = openQueue();
    for (let call = 0; call < circuit.failures; call++) {
      const pauseMs = queue.breaker.record(queue.breaker.begin(), 'unreachable');
      if (pauseMs > 0) queue.pause(pauseMs);
    }
    expect(queue.available).toBe(0);
    await clock.advance(circuit.firstPauseMs);
    expect(queue.available).toBe(1);
    queue.claiming = 1;
    expect(queue.available).toBe(0);
  });
});
