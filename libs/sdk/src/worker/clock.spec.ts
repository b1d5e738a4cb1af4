import { systemClock } from './clock.js';

describe("the system's clock", () => {
  it('has timers that are longer than those of Node.js, which fire at once', async () => {
    const ran: string[] = [];
    const long = systemClock.after(2 ** 31, () => ran.push('25 days'));
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    long.cancel();
    expect(ran).toEqual([]);
  });

  it('runs what is overdue at once, without a warning in the output of the application', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', onWarning);
    try {
      await new Promise<void>((resolve) => systemClock.after(-5_000, resolve));
    } finally {
      process.off('warning', onWarning);
    }
    expect(warnings).toEqual([]);
  });
});
