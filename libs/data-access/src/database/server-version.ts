import { StartError } from '@spooled/domain';
import type pg from 'pg';

/** The oldest supported major version: the tables use `uuidv7()`, which PostgreSQL 18 introduced. */
const minimumVersion = 18;

/**
 * Checks the version of the server that `queryable` is connected to.
 * @throws StartError when it is older than PostgreSQL 18
 */
export async function requireServerVersion(queryable: pg.Pool | pg.Client): Promise<void> {
  const { rows } = await queryable.query<{ number: string; name: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  );
  const { number, name } = rows[0]!;
  if (Math.floor(Number(number) / 10_000) < minimumVersion) {
    throw new StartError({
      finding: `PostgreSQL ${minimumVersion} or newer is required, and the server runs ${name}`,
      remedy: 'upgrade it, or name another server',
    });
  }
}
