import { oldestPostgres, StartError } from '@spooled/domain';
import type pg from 'pg';

/** Checks the version of the server that `queryable` is connected to. @throws StartError when it is older than `oldestPostgres` */
export async function requireServerVersion(queryable: pg.Pool | pg.Client): Promise<void> {
  const { rows } = await queryable.query<{ number: string; name: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  );
  const { number, name } = rows[0]!;
  if (Math.floor(Number(number) / 10_000) < oldestPostgres) {
    throw new StartError({
      finding: `PostgreSQL ${oldestPostgres} or newer is required, and the server runs ${name}`,
      remedy: 'upgrade it, or name another server',
    });
  }
}
