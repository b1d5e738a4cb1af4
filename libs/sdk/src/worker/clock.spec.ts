import { systemClock } from './clock.js';

describe("the system's clock", () => {
  it('has timers that are longer than those of Node.js, which fire at once', async () => {
    const ran: string[] = [];
    const long = systemClock.after(2 ** 31, () => ran.push('25 days'));
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    long.cancel();
    expect(ran).toEqual([]);
  });
});
