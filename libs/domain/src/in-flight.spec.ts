import { InFlight } from './in-flight.js';

describe('work in flight', () => {
  it('has settled when all of it has, failures and later work included', async () => {
    const inFlight = new InFlight();
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    inFlight.track(first.promise).catch(() => undefined);
    let settled = false;
    const waiting = inFlight.idle().then(() => (settled = true));
    void inFlight.track(second.promise);
    first.reject(new Error('failed'));
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    second.resolve();
    await waiting;
    expect(settled).toBe(true);
  });

  it('has settled at once when there is none', async () => {
    await expect(new InFlight().idle()).resolves.toBeUndefined();
  });
});
