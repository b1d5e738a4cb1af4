import { ManualClock, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { Deadlines } from './deadlines.js';

describe('deadlines whose read is slow', () => {
  const fixture = useEngine();
  let holder: pg.Client;
  let clock: ManualClock;
  let deadlines: Deadlines;

  const read = () => deadlines.msUntil('schedule');

  /** Starts a read, which ends after `during`. */
  const readDuring = async (during: () => Promise<unknown>): Promise<number | null> => {
    await holder.query('BEGIN; LOCK TABLE schedules IN ACCESS EXCLUSIVE MODE');
    const result = read();
    await untilLocked(fixture.superuser, 1, 'AS pause_expiry');
    await during();
    await holder.query('ROLLBACK');
    return result;
  };
  const readFor = (ms: number) => readDuring(() => clock.advance(ms));

  const schedule = async (dueIn: string) => {
    const org = await fixture.organization();
    await fixture.sql(
      `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at)
       VALUES (uuidv7(), $1, 'nightly', '0 3 * * *', 'emails', '{}', current_ts(clock_timestamp()) + $2::interval)`,
      [org, dueIn],
    );
  };

  beforeEach(async () => {
    holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    await fixture.sql('DELETE FROM schedules');
    clock = new ManualClock();
    deadlines = new Deadlines(fixture.db, clock);
  });
  afterEach(() => holder.end());

  it.each([
    { readMs: 99, servesMs: 0 },
    { readMs: 100, servesMs: 2_000 },
    { readMs: 60_000, servesMs: 5_000 },
  ])('SP-24 serve for $servesMs ms after a read of $readMs', async ({ readMs, servesMs }) => {
    expect(await readFor(readMs)).toBeNull();
    await schedule('1 hour');
    if (servesMs > 0) {
      await clock.advance(servesMs - 1);
      expect(await read()).toBeNull();
      await clock.advance(1);
    }
    expect(await read()).toBeGreaterThan(0);
  });

  it('SP-24 serve until the first has passed', async () => {
    await schedule('3 seconds');
    const left = await readFor(1_000);
    await fixture.sql('DELETE FROM schedules');
    await clock.advance(Math.ceil(left!) - 1);
    expect(await read()).toBeLessThanOrEqual(1);
    await clock.advance(1);
    expect(await read()).toBeNull();
  });

  it('SP-24 serve all that ask during the read', async () => {
    await schedule('1 hour');
    const others: Promise<number | null>[] = [];
    const first = await readDuring(async () => {
      await clock.advance(1_000);
      others.push(read(), read());
    });
    expect(await Promise.all(others)).toEqual([first, first]);
  });

  it('SP-24 are read again after a read that failed', async () => {
    const failed = readDuring(async () => {
      await clock.advance(1_000);
      await fixture.sql(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
    });
    await expect(failed).rejects.toThrow();
    expect(await read()).toBeNull();
  });
});
