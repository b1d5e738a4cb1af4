import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@spooled/domain';
import type pg from 'pg';
import { type Installation, secondLoginOf, type ServiceRole } from '../database/installation.js';
import { scramVerifier } from './scram-verifier.js';

/**
 * Errors of concurrent runs for two databases of one server, which share its roles: duplicate role, unique violation,
 * "tuple concurrently updated".
 */
const retryableCodes = new Set(['42710', '23505', 'XX000']);
const insufficientPrivilege = '42501';

const advice = (name: string): string =>
  `The migrating role may not create or alter role ${name}: grant it CREATEROLE, and ${name} WITH ADMIN OPTION if another role created it`;

/**
 * Creates the login role if it is missing, and sets its password if one is given.
 *
 * @throws Error when the role exists but may bypass row-level security
 */
export async function ensureRole(client: pg.Client, name: string, password?: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOrAlter(client, name, password);
    } catch (error) {
      const code = (error as pg.DatabaseError).code ?? '';
      if (code === insufficientPrivilege)
        throw new Error(`${advice(name)} (${(error as Error).message})`, { cause: error });
      if (!retryableCodes.has(code) || attempt === 20) throw error;
      await sleep(10 * attempt);
    }
  }
}

/**
 * For a role that no migration has given its search path: one that an application uses would lose its own, and be our role of requests.
 * Roles that an administrator has created in advance have at most rights on the database.
 * @throws StartError when the role owns objects, or has rights on some
 */
export async function requireUnused(client: pg.Client, role: ServiceRole, { schema }: Installation): Promise<void> {
  if (schema === 'public') return;
  const { rows } = await client.query(
    `SELECT FROM pg_roles r JOIN pg_shdepend d ON d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid
     WHERE r.rolname = $1 AND (d.deptype = 'o' OR d.deptype = 'a' AND d.classid <> 'pg_database'::regclass)
       AND NOT EXISTS (
         SELECT FROM pg_db_role_setting s
         WHERE s.setrole = r.oid AND s.setdatabase = 0 AND 'search_path=' || quote_ident($2) = ANY (s.setconfig))
     LIMIT 1`,
    [role, schema],
  );
  if (rows.length === 0) return;
  throw new StartError({
    finding: `Role "${role}" is used by an application`,
    remedy: 'choose another name for the schema, which also names the roles',
  });
}

/** A login has the search path of its role, because PgBouncer refuses one in the options of a connection. */
export async function ensureSearchPath(client: pg.Client, role: string, { schema }: Installation): Promise<void> {
  if (schema === 'public') return;
  const { rows } = await client.query(
    `SELECT FROM pg_db_role_setting WHERE setrole = $1::regrole AND setdatabase = 0 AND 'search_path=' || quote_ident($2) = ANY (setconfig)`,
    [role, schema],
  );
  if (rows.length > 0) return;
  await client.query(`ALTER ROLE ${role} SET search_path = ${client.escapeIdentifier(schema)}`);
}

/**
 * Gives a role a second login with another password, so that passwords change without interruption: one login is in use while the other
 * gets a new password. It acts as the role from its first statement on, also through a pooler, and has its settings.
 *
 * @throws Error when this role may not create roles, or may not grant `role`
 */
export async function ensureSecondLogin(
  client: pg.Client,
  role: ServiceRole,
  password: string,
  installation: Installation,
): Promise<void> {
  const name = secondLoginOf(role);
  const { rows } = await client.query<{ setting: string }>(
    `SELECT setting FROM pg_db_role_setting, unnest(setconfig) AS setting WHERE setrole = $1::regrole AND setdatabase = 0 AND setting NOT LIKE 'search_path=%'`,
    [role],
  );
  await ensureRole(client, name, password);
  await ensureSearchPath(client, name, installation);
  await client.query(`GRANT ${role} TO ${name} WITH INHERIT FALSE, SET TRUE`);
  const settings = [`role=${role}`, ...rows.map(({ setting }) => setting)].map((text) => text.split(/=(.*)/s));
  for (const [setting, value] of settings) {
    await client.query(`ALTER ROLE ${name} SET ${setting} = ${client.escapeLiteral(value!)}`);
  }
}

/**
 * Lets the current role switch to these roles, without their rights before it does. A superuser may do that anyway.
 * @throws Error when this role may not grant one of them
 */
export async function grantRoles(client: pg.Client, roles: ServiceRole[]): Promise<void> {
  for (const role of roles) {
    const { rows } = await client.query<{ may: boolean }>(`SELECT pg_has_role(current_user, $1, 'SET') AS may`, [role]);
    if (rows[0]!.may) continue;
    await client.query(`GRANT ${role} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE`).catch((error: Error) => {
      throw new Error(`${advice(role)} (${error.message})`, { cause: error });
    });
  }
}

/**
 * Revokes TEMPORARY from these roles. No service needs temporary tables; they are not subject to row-level security and can
 * fill the disk. PostgreSQL grants it to PUBLIC in each new database.
 */
export async function denyTemporaryTables(
  client: pg.Client,
  roles: string[],
  log: (line: string) => void,
): Promise<void> {
  const allowed = async () => {
    const { rows } = await client.query<{ role: string; database: string }>(
      `SELECT role, current_database() AS database FROM unnest($1::text[]) AS role
       WHERE has_database_privilege(role, current_database(), 'TEMPORARY')`,
      [roles],
    );
    return rows;
  };
  const [first] = await allowed();
  if (!first) return;
  const database = client.escapeIdentifier(first.database);
  await client.query(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${roles.join(', ')}`);
  // PostgreSQL only warns when this role may not revoke the privilege.
  for (const { role } of await allowed()) {
    log(
      `${role} may still create temporary tables: run REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${role} as the owner`,
    );
  }
}

/**
 * Revokes the functions that create large objects. No service needs them; they are not subject to row-level security and can fill
 * the disk. PostgreSQL grants them to PUBLIC, and only a superuser may revoke them: for another role the log says how.
 */
export async function denyLargeObjects(client: pg.Client, roles: string[], log: (line: string) => void): Promise<void> {
  const allowed = async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
       WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import')
         AND EXISTS (SELECT FROM unnest($1::text[]) AS role WHERE has_function_privilege(role, p.oid, 'EXECUTE'))
       ORDER BY 1`,
      [roles],
    );
    return rows.map(({ name }) => name).join(', ');
  };
  const functions = await allowed();
  if (functions === '') return;
  const from = ['PUBLIC', ...roles].join(', ');
  await client.query(`REVOKE EXECUTE ON FUNCTION ${functions} FROM ${from}`);
  const left = await allowed();
  // PostgreSQL only warns when this role may not revoke the privilege.
  if (left === '') return;
  log(
    `the services may still create large objects: run REVOKE EXECUTE ON FUNCTION ${left} FROM ${from} as a superuser`,
  );
}

async function createOrAlter(client: pg.Client, name: string, password?: string): Promise<void> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = $1',
    [name],
  );
  if (rows[0]?.bypasses)
    throw new Error(`Role ${name} may bypass row-level security; remove SUPERUSER and BYPASSRLS from it`);
  if (rows[0] && password === undefined) return;
  // The verifier instead of the password, because a failed statement is written to the server's log.
  const secret = password === undefined ? '' : `PASSWORD ${client.escapeLiteral(scramVerifier(password))}`;
  await client.query(`${rows[0] ? 'ALTER' : 'CREATE'} ROLE ${client.escapeIdentifier(name)} LOGIN ${secret}`);
}
