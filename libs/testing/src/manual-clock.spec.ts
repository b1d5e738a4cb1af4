import { ManualClock } from './manual-clock.js';

describe('the clock of specs', () => {
  it('runs what is due in order, each at its own moment, and timers started meanwhile', async () => {
    const clock = new ManualClock();
    const began = clock.now();
    const ran: [what: string, ms: number][] = [];
    const note = (what: string) => ran.push([what, clock.now() - began]);
    clock.after(30, () => note('last'));
    const repeated = clock.every(10, () => note('repeated'));
    clock.after(10, () => {
      note('first');
      clock.after(5, () => note('started meanwhile'));
    });
    void clock.sleep(12).then(() => note('slept'));
    await clock.advance(25);
    repeated.cancel();
    expect(ran).toEqual([
      ['repeated', 10],
      ['first', 10],
      ['slept', 12],
      ['started meanwhile', 15],
      ['repeated', 20],
    ]);
    expect([clock.now() - began, clock.timers]).toEqual([25, [5]]);
  });

  it('lets what awaits a timer go on before the next one', async () => {
    const clock = new ManualClock();
    const order: string[] = [];
    clock.after(2, () => order.push('second'));
    const waits = async () => {
      await clock.sleep(1);
      await Promise.resolve();
      order.push('first');
    };
    void waits();
    await clock.advance(2);
    expect(order).toEqual(['first', 'second']);
  });

  it('ends a sleep when its signal is aborted', async () => {
    const clock = new ManualClock();
    const ending = new AbortController();
    const sleeping = clock.sleep(1000, ending.signal);
    ending.abort();
    await sleeping;
    await clock.sleep(1000, ending.signal);
    expect(clock.timers).toEqual([]);
  });

  it('moves on until a promise settles', async () => {
    const clock = new ManualClock();
    const began = clock.monotonic();
    await clock.until(clock.sleep(95));
    await expect(clock.until(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(clock.monotonic() - began).toBeGreaterThanOrEqual(95);
  });

  it('reports timers that are left, except those that no process waits for', () => {
    const clock = new ManualClock();
    clock.every(10, () => undefined).unref();
    clock.assertIdle();
    const left = clock.after(10, () => undefined);
    expect(() => clock.assertIdle()).toThrow('1 timers are left, due in 10 ms');
    left.cancel();
    clock.assertIdle();
  });
});
