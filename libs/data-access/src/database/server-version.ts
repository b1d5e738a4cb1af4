import type pg from 'pg';

/** The oldest supported major version: the tables use `uuidv7()`, which PostgreSQL 18 introduced. */
const minimumVersion = 18;

/**
 * Checks the version of the server that `queryable` is connected to.
 * @throws Error when it is older than PostgreSQL 18
 */
export async function requireServerVersion(queryable: pg.Pool | pg.Client): Promise<void> {
  const { rows } = await queryable.query<{ number: string; name: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  );
  const { number, name } = rows[0]!;
  if (Math.floor(Number(number) / 10_000) < minimumVersion) {
    throw new Error(`PostgreSQL ${minimumVersion} or newer is required; the server runs ${name}`);
  }
}
