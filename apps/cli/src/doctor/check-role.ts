import type pg from 'pg';
import type { Findings } from './finding.js';

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
export async function checkRole(client: pg.Client, found: Findings, setting: string): Promise<boolean> {
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
