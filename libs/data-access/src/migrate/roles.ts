import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { scramVerifier } from './scram-verifier.js';

/**
 * Roles belong to the whole server, so runs for two databases can meet here: duplicate role, unique violation, and
 * "tuple concurrently updated".
 */
const collisions = new Set(['42710', '23505', 'XX000']);
const insufficientPrivilege = '42501';

const advice = (name: string): string =>
  `The migrating role may not create or alter role ${name}: give it CREATEROLE, and ${name} WITH ADMIN OPTION where another role made it`;

/**
 * Creates the login role when it is missing, and sets its password when one is given.
 *
 * @throws Error when the role exists but could step around row-level security
 */
export async function ensureRole(client: pg.Client, name: string, password?: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOrAlter(client, name, password);
    } catch (error) {
      const code = (error as pg.DatabaseError).code ?? '';
      if (code === insufficientPrivilege)
        throw new Error(`${advice(name)} (${(error as Error).message})`, { cause: error });
      if (!collisions.has(code) || attempt === 20) throw error;
      await sleep(10 * attempt);
    }
  }
}

/**
 * Takes the right to make temporary tables from these roles. No service needs any; they lie outside row-level security and fill the
 * disk. PostgreSQL gives it to everybody in each new database, so it has to be taken in each.
 */
export async function denyTemporaryTables(
  client: pg.Client,
  roles: string[],
  say: (line: string) => void,
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
  // PostgreSQL only warns where the right is not this role's to take.
  for (const { role } of await allowed()) {
    say(
      `${role} may still make temporary tables: run REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${role} as the owner`,
    );
  }
}

async function createOrAlter(client: pg.Client, name: string, password?: string): Promise<void> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = $1',
    [name],
  );
  if (rows[0]?.bypasses)
    throw new Error(`Role ${name} may bypass row-level security; take SUPERUSER and BYPASSRLS from it`);
  if (rows[0] && password === undefined) return;
  // The verifier instead of the password: a failing statement would put the password in the server's log.
  const secret = password === undefined ? '' : `PASSWORD ${client.escapeLiteral(scramVerifier(password))}`;
  await client.query(`${rows[0] ? 'ALTER' : 'CREATE'} ROLE ${client.escapeIdentifier(name)} LOGIN ${secret}`);
}
