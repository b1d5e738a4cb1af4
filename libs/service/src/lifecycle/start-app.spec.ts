import { NotMigratedError } from '@spooled/data-access';
import { unavailable } from '@spooled/domain';
import { ManualClock } from '@spooled/testing';
import { startApp } from './start-app.js';

/** An application whose checks of the server fail with these errors first. */
function start(...failures: Error[]) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const done: string[] = [];
  const verifyServer = () => {
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve();
  };
  const app = { get: () => ({ verifyServer }), close: () => Promise.resolve(void done.push('closed')) };
  const stops: (() => unknown)[] = [];
  const log: [string, object][] = [];
  const service = {
    stopping: stop.signal,
    logger: { warn: (fields: object, text: string) => void log.push([text, fields]) },
    onStop: (_part: string, end: () => unknown) => void stops.push(end),
  };
  const started = startApp(app as never, service as never, () => void done.push('begun'), clock);
  return { clock, stop, started, done, log, stops };
}
const down = () => unavailable('PostgreSQL', 1, new Error('connection refused'));

describe('an application', () => {
  it('begins once PostgreSQL answers and is migrated; until then it says what it waits for', async () => {
    const { clock, started, done, log } = start(
      down(),
      new NotMigratedError(['migration 0002_tags'], '1.2.3'),
      down(),
      down(),
      down(),
    );
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      await clock.advance(0);
      expect(done).toEqual([]);
      waits.push(...clock.timers);
      await clock.advance(clock.timers[0]!);
    }
    await started;
    expect(waits).toEqual([200, 400, 800, 1_000, 1_000]);
    expect(done).toEqual(['begun']);
    expect(log.slice(0, 2)).toEqual([
      ['waiting for PostgreSQL', { dependency: 'PostgreSQL', retry_ms: 200, reason: 'connection refused' }],
      ['waiting for the migration', expect.objectContaining({ retry_ms: 400, missing: ['migration 0002_tags'] })],
    ]);
  });

  it('does not begin if it is stopped before, and is closed', async () => {
    const { clock, stop, started, done, stops } = start(down());
    await clock.advance(0);
    stop.abort();
    await started;
    clock.assertIdle();
    for (const end of stops) await end();
    expect(done).toEqual(['closed']);
  });

  it('fails at once for what waiting does not change, such as a role that may bypass row-level security', async () => {
    const wrong = new Error('the role may bypass row-level security');
    const { started, done } = start(wrong);
    await expect(started).rejects.toBe(wrong);
    expect(done).toEqual([]);
  });
});
