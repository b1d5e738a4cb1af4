import pg from 'pg';
import { isUnknownHost, patienceMs, whyNoAnswer } from './connection-errors.js';
import { type Finding, Findings } from './finding.js';
import { checkRole } from './check-role.js';
import { checkSchema } from './check-schema.js';

/** The tables use `uuidv7()`, which PostgreSQL 18 introduced. */
const oldestVersion = 18;
/** Leases and schedules are decided by the database's clock; the log and tokens by that of the machine. */
const toleratedSkewMs = 2_000;

/**
 * Checks the server behind a URL: reachable, version, role, schema, clock.
 * @param setting the setting that the URL is of, for the remedies
 */
export async function checkPostgres(setting: string, url: string | undefined): Promise<Finding[]> {
  const found = new Findings(setting === 'DATABASE_URL' ? 'PostgreSQL' : `PostgreSQL (${setting})`);
  if (!url) return found.skipped(`${setting} is not set`).all;
  const parsed = URL.parse(url);
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    return found.problem(
      `${setting} is no URL of a PostgreSQL server`,
      'write postgres://user:password@host:5432/database',
    ).all;
  }
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  // An error outside of a query, such as a connection that breaks, would end the program.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await checkServer(client, found, setting, parsed.host);
  } catch (error) {
    const [finding, remedy] = connectionProblem(error as pg.DatabaseError, setting, parsed);
    found.problem(finding, remedy);
  } finally {
    await client.end().catch(() => undefined);
  }
  return found.all;
}

async function checkServer(client: pg.Client, found: Findings, setting: string, host: string): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
  );
  const { number, name } = rows[0]!;
  if (Math.floor(Number(number) / 10_000) < oldestVersion) {
    found.problem(
      `PostgreSQL at ${host} has version ${name}, and Spooled needs ${oldestVersion} or newer`,
      `upgrade the server, or set ${setting} to a newer one`,
    );
    return;
  }
  found.ok(`PostgreSQL ${name} answers at ${host}`);
  const isOurs = await checkRole(client, found, setting);
  // Only the role of requests may read what was migrated, and its database is that of the other role.
  if (isOurs && setting === 'DATABASE_URL') await checkSchema(client, found);
  await checkClock(client, found);
}

async function checkClock(client: pg.Client, found: Findings): Promise<void> {
  const before = Date.now();
  const { rows } = await client.query<{ ms: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
  const skewMs = Number(rows[0]!.ms) - (before + Date.now()) / 2;
  if (Math.abs(skewMs) <= toleratedSkewMs) return;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  found.warning(
    `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} that of PostgreSQL`,
    'synchronize both by NTP',
  );
}

/** The errors of SQL by which a server refuses a connection. */
function connectionProblem(error: pg.DatabaseError, setting: string, url: URL): [finding: string, remedy: string] {
  const database = url.pathname.slice(1) || url.username;
  switch (error.code) {
    case '28P01':
      return [
        `PostgreSQL at ${url.host} refuses the password of role "${url.username}"`,
        `correct the user or the password in ${setting}`,
      ];
    case '28000':
      return [
        `PostgreSQL at ${url.host} refuses the login of role "${url.username}" (${error.message})`,
        `correct ${setting}, or allow the login in pg_hba.conf`,
      ];
    case '3D000':
      return [
        `There is no database "${database}" at ${url.host}`,
        `create it and migrate it, or correct the name in ${setting}`,
      ];
    case '53300':
      return [`PostgreSQL at ${url.host} has no free connection`, 'raise max_connections, or put PgBouncer before it'];
    case '57P03':
      return [`PostgreSQL at ${url.host} is starting or stopping`, 'wait for it, or read its log'];
    case '42501':
      return [
        `The role "${url.username}" of ${setting} may not read what it needs (${error.message})`,
        'run the migration, and log in as spooled_app',
      ];
    default:
      return networkProblem(error, setting, url);
  }
}

function networkProblem(error: Error, setting: string, url: URL): [finding: string, remedy: string] {
  if (isUnknownHost(error))
    return [`The host "${url.hostname}" of ${setting} is unknown`, 'correct its name, or the DNS of this machine'];
  const why = whyNoAnswer(error);
  if (why)
    return [`PostgreSQL does not answer at ${url.host} (${why})`, `start it, or correct host and port of ${setting}`];
  if (/SSL|certificate/i.test(error.message))
    return [
      `There is no encrypted connection to ${url.host} (${error.message})`,
      `correct sslmode in ${setting}, or name the authority in NODE_EXTRA_CA_CERTS`,
    ];
  return [
    `What answers at ${url.host} is no PostgreSQL server (${error.message})`,
    `correct host and port of ${setting}`,
  ];
}
