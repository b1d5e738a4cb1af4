import type { Database } from '@spooled/data-access';
import { eventually, ManualClock, openConnections, useDatabase, useForAll } from '@spooled/testing';
import { isSchedulerRunning, SchedulerPresence } from './scheduler-presence.js';

const database = useDatabase();
const db = useForAll(
  () => Promise.resolve(openConnections(database, { maxSystemConnections: 4 })),
  (opened) => opened.close(),
);

/** The pauses of one that holds the lock, and of one that does not. */
const [term, retry] = [60_000, 2_000];

describe('the presence of schedulers', () => {
  it('lasts while one of them runs, also from one term to the next', async () => {
    const clocks = [new ManualClock(), new ManualClock()];
    const presences = clocks.map((clock) => new SchedulerPresence(db, clock));
    const timers = () => clocks.flatMap(({ timers: [next] }) => next);
    const holder = () => clocks.findIndex(({ timers: [next] }) => next === term);
    expect(await isSchedulerRunning(db)).toBe(false);
    for (const presence of presences) presence.start();
    await eventually(() => expect(timers().sort()).toEqual([retry, term].sort()));
    expect(await isSchedulerRunning(db)).toBe(true);

    // At the end of its term it takes the lock again.
    const [first, other] = [holder(), 1 - holder()];
    await clocks[first]!.advance(term);
    await eventually(() => expect(clocks[first]!.timers).toEqual([term]));
    expect(await isSchedulerRunning(db)).toBe(true);

    await presences[first]!.stop();
    expect(clocks[first]!.timers).toEqual([]);
    expect(await isSchedulerRunning(db)).toBe(false);
    await clocks[other]!.advance(retry);
    await eventually(() => expect(clocks[other]!.timers).toEqual([term]));
    expect(await isSchedulerRunning(db)).toBe(true);
    await presences[other]!.stop();
    expect(await isSchedulerRunning(db)).toBe(false);
  });

  it('is shown again when PostgreSQL is back, with pauses between its attempts', async () => {
    let attempts = 0;
    const unavailable = () => Promise.reject(new Error(`away ${++attempts}`));
    const clock = new ManualClock();
    const presence = new SchedulerPresence(
      { installation: db.installation, asSystem: unavailable } as unknown as Database,
      clock,
    );
    presence.start();
    for (let n = 1; n < 4; n++) {
      await eventually(() => expect(clock.timers).toEqual([retry]));
      expect(attempts).toBe(n);
      await clock.advance(retry);
    }
    await presence.stop();
    expect(clock.timers).toEqual([]);
  });
});
