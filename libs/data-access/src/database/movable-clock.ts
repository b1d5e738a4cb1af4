import pg from 'pg';

/** A table of one row, and a `current_ts` that adds it. Statements that were planned before are planned again. */
const movable = `
  CREATE TABLE moved_clock (moved_by interval NOT NULL);
  INSERT INTO moved_clock VALUES ('0');
  GRANT SELECT ON moved_clock TO spooled_app, spooled_system;
  CREATE OR REPLACE FUNCTION current_ts(at timestamptz DEFAULT now()) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN at + (SELECT moved_by FROM moved_clock);`;

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
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await moveClockOn(owner, by, options);
  } finally {
    await owner.end();
  }
}

/** As `moveDatabaseClock`, on an open connection, which has an open transaction if this fails. */
export async function moveClockOn(
  owner: pg.ClientBase,
  by: string,
  { keepWorkers = false }: MoveOptions = {},
): Promise<void> {
  const { rows } = await owner.query<{ missing: boolean }>(`SELECT to_regclass('moved_clock') IS NULL AS missing`);
  if (rows[0]!.missing) await owner.query(`BEGIN; ${movable} COMMIT`);
  await owner.query('BEGIN');
  await owner.query('UPDATE moved_clock SET moved_by = moved_by + $1::interval', [by]);
  if (keepWorkers) {
    await owner.query('SET LOCAL ROLE spooled_system');
    await owner.query('UPDATE workers SET last_heartbeat = last_heartbeat + $1::interval', [by]);
  }
  await owner.query('COMMIT');
}
