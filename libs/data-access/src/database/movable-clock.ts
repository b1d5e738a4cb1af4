import pg from 'pg';

/** A table of one row, and a `current_ts` that reads it. Statements that were planned before are planned again. */
const movable = `
  CREATE TABLE moved_clock (moved_by interval NOT NULL, stopped_at timestamptz);
  INSERT INTO moved_clock VALUES ('0', NULL);
  GRANT SELECT ON moved_clock TO spooled_app, spooled_system;
  CREATE OR REPLACE FUNCTION current_ts(at timestamptz DEFAULT now()) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT coalesce(stopped_at, at) + moved_by FROM moved_clock);`;

interface MoveOptions {
  keepWorkers?: boolean;
}

/**
 * Moves the time of a test database, for all its sessions and from their next statement on. The clocks of PostgreSQL, of
 * the processes and of Redis stay as they are.
 *
 * @param ownerUrl as the owner of the database; with `keepWorkers` one that may switch to spooled_system
 * @param by an interval of PostgreSQL, such as `90 s`; added to earlier ones
 * @param options.keepWorkers workers have sent their heartbeats all the while: none of them goes offline and loses its jobs
 */
export async function moveDatabaseClock(ownerUrl: string, by: string, options: MoveOptions = {}): Promise<void> {
  await withOwner(ownerUrl, (owner) => moveClockOn(owner, by, options));
}

/**
 * Stops the time of a test database, for all its sessions: from here on only `moveDatabaseClock` moves it.
 *
 * @param ownerUrl as the owner of the database
 * @returns the time at which it stands, in milliseconds since 1970
 */
export function stopDatabaseClock(ownerUrl: string): Promise<number> {
  return withOwner(ownerUrl, async (owner) => {
    await makeMovable(owner);
    // Whole milliseconds, as processes count them: both agree on what is due.
    const { rows } = await owner.query<{ time: Date }>(
      `UPDATE moved_clock SET stopped_at = date_trunc('milliseconds', now()) RETURNING stopped_at + moved_by AS time`,
    );
    return rows[0]!.time.getTime();
  });
}

/** As `moveDatabaseClock`, on an open connection, which has an open transaction if this fails. */
export async function moveClockOn(
  owner: pg.ClientBase,
  by: string,
  { keepWorkers = false }: MoveOptions = {},
): Promise<void> {
  await makeMovable(owner);
  await owner.query('BEGIN');
  await owner.query('UPDATE moved_clock SET moved_by = moved_by + $1::interval', [by]);
  if (keepWorkers) {
    await owner.query('SET LOCAL ROLE spooled_system');
    await owner.query('UPDATE workers SET last_heartbeat = last_heartbeat + $1::interval', [by]);
  }
  await owner.query('COMMIT');
}

async function makeMovable(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ missing: boolean }>(`SELECT to_regclass('moved_clock') IS NULL AS missing`);
  if (rows[0]!.missing) await owner.query(`BEGIN; ${movable} COMMIT`);
}

async function withOwner<Result>(ownerUrl: string, work: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}
