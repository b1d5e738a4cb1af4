import pg from 'pg';
import { oldestPostgres, postgresProblem, postgresUrlProblem } from '@spooled/domain';
import { type Finding, Findings, patienceMs } from './finding.js';

/** Leases and schedules are decided by the database's clock; the log and tokens by that of the machine. */
const toleratedSkewMs = 2_000;

/**
 * Checks the server behind a URL: reachable, version, role, schema, clock.
 * @param setting the setting that the URL is of, for the remedies
 */
export async function checkPostgres(setting: string, url: string | undefined): Promise<Finding[]> {
  const found = new Findings(setting === 'DATABASE_URL' ? 'PostgreSQL' : `PostgreSQL (${setting})`);
  if (!url) return found.skipped(`${setting} is not set`).all;
  const wrongUrl = postgresUrlProblem({ setting, url });
  if (wrongUrl) return found.explain(wrongUrl).all;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  // An error outside of a query, such as a connection that breaks, would end the program.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await checkServer(client, found, setting, new URL(url).host);
  } catch (error) {
    found.explain(postgresProblem(error, { setting, url }));
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
  if (Math.floor(Number(number) / 10_000) < oldestPostgres) {
    found.problem(
      `PostgreSQL at ${host} has version ${name}, and Spooled needs ${oldestPostgres} or newer`,
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

interface DatabaseRelease {
  migrations: string[];
  /** SHA-256 of each function's text. */
  functions: Record<string, string>;
}

const remedy = 'run the migration of this release (npm run migrate, or the image migrate)';

/** Whether the database has all migrations and functions of this release, or is of a newer one. */
async function checkSchema(client: pg.Client, found: Findings): Promise<void> {
  const release = JSON.parse(process.env.SPOOLED_DATABASE_RELEASE ?? 'null') as DatabaseRelease | null;
  if (!release) return void found.skipped('This build does not know which migrations it needs');
  const { rows } = await client.query<{ exist: boolean }>(
    `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AND to_regclass('public.repeatable_migrations') IS NOT NULL AS exist`,
  );
  if (!rows[0]!.exist) return void found.problem('The database is not migrated: it has no tables of Spooled', remedy);
  const missing = await missingIn(client, release);
  if (missing.length === 0) return void found.ok('The schema is migrated');
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  found.problem(`The schema is of another release: it lacks ${missing[0]}${more}`, remedy);
}

async function missingIn(client: pg.Client, { migrations, functions }: DatabaseRelease): Promise<string[]> {
  const applied = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const installed = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM repeatable_migrations',
  );
  const known = new Set(applied.rows.map(({ name }) => name));
  const texts = new Map(installed.rows.map(({ name, checksum }) => [name, checksum]));
  // A newer release has migrations that this one does not know, and may have changed texts.
  const isNewer = [...known].some((name) => !migrations.includes(name));
  return [
    ...migrations.filter((name) => !known.has(name)).map((name) => `migration ${name}`),
    ...Object.entries(functions).flatMap(([name, checksum]) => {
      if (!texts.has(name)) return [`function ${name}`];
      return texts.get(name) === checksum || isNewer ? [] : [`this text of function ${name}`];
    }),
  ];
}

/** The roles under which the services run their statements; the login is one of them, or may switch to it. */
const roleOf: Record<string, string> = { DATABASE_URL: 'spooled_app', DATABASE_SYSTEM_URL: 'spooled_system' };

interface RoleRow {
  login: string;
  bypasses: boolean;
  /** Null when the role of the services does not exist. */
  may_switch: boolean | null;
}

/**
 * Row-level security must apply to the role: otherwise every tenant sees every row.
 * @returns whether the login is, or may become, the role that the setting is for
 */
async function checkRole(client: pg.Client, found: Findings, setting: string): Promise<boolean> {
  const role = roleOf[setting]!;
  const { rows } = await client.query<RoleRow>(
    `SELECT login.rolname AS login, login.rolsuper OR login.rolbypassrls AS bypasses,
       (SELECT pg_has_role(login.oid, target.oid, 'SET') FROM pg_roles AS target WHERE target.rolname = '${role}') AS may_switch
     FROM pg_roles AS login WHERE login.rolname = current_user`,
  );
  const { login, bypasses, may_switch: maySwitch } = rows[0]!;
  if (bypasses) {
    found.problem(
      `Role "${login}" of ${setting} may bypass row-level security (SUPERUSER or BYPASSRLS)`,
      `log in as ${role}, which the migration creates`,
    );
  } else if (maySwitch === null) {
    found.problem(`The role ${role} does not exist`, 'run the migration as the owner of the database');
  } else if (!maySwitch) {
    found.problem(`Role "${login}" of ${setting} is not ${role} and may not switch to it`, `log in as ${role}`);
  } else {
    found.ok(`Row-level security applies to role "${login}"`);
    return true;
  }
  return false;
}
