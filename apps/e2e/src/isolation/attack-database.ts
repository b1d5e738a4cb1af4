import pg from 'pg';
import { type DatabaseFunction, functionsOf, type Relation, relationsOf, uniqueAcross } from './catalogue.js';
import { type Findings, markIn, type Victim } from './findings.js';
import { argumentFor } from './function-arguments.js';

export interface DatabaseAttack {
  superuser: pg.Client;
  /** Connects as the request role. */
  appUrl: string;
  victim: Victim;
  attackerId: string;
  /** All rows of the victim as text. */
  dump(): Promise<string>;
}

/** Without rows of organizations, and readable: what the whole system shares. */
const shared = ['_prisma_migrations', 'command_fences', 'repeatable_migrations', 'series_samples', 'system_gauges'];
/** What may be unique over all organizations: random codes, and names by which something is found before the organization is known. */
const uniqueNames = [
  'console_logins_pkey',
  'api_keys_key_lookup_key',
  'organizations_billing_email',
  'organizations_slug_key',
];

const rowLevelSecurity = /violates row-level security policy/;
const permissionDenied = /permission denied/;

/** How a connection got to the point at which it reads. */
const settings: Record<string, (attack: DatabaseAttack) => string[]> = {
  'no tenant': () => [],
  'the attacker': ({ attackerId }) => [`SELECT set_config('app.current_org_id', '${attackerId}', true)`],
  'an empty tenant': () => [`SELECT set_config('app.current_org_id', '', true)`],
  'a committed tenant': ({ victim }) => [asTenant(victim.organizationId), 'COMMIT', 'BEGIN'],
  'a tenant that was rolled back': ({ victim }) => [asTenant(victim.organizationId), 'ROLLBACK', 'BEGIN'],
  'a released savepoint': ({ victim, attackerId }) => [
    asTenant(attackerId),
    'SAVEPOINT s',
    asTenant(victim.organizationId),
    'ROLLBACK TO s',
  ],
};
const asTenant = (id: string) => `SELECT set_config('app.current_org_id', '${id}', true)`;

/** Ways out of the request role: each must fail. */
const escapes = [
  'SET ROLE spooled_system',
  'SET SESSION AUTHORIZATION spooled_system',
  'SET row_security = off; SELECT FROM jobs',
  'ALTER TABLE jobs DISABLE ROW LEVEL SECURITY',
  'CREATE POLICY mine ON jobs USING (true)',
  'DROP POLICY tenant ON jobs',
  'CREATE VIEW mine AS SELECT * FROM jobs',
  'CREATE TABLE mine (x int)',
  'CREATE TEMPORARY TABLE mine (x int)',
  `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
  `DO LANGUAGE plpgsql 'BEGIN SET ROLE spooled_system; END'`,
  `COPY jobs TO PROGRAM 'cat'`,
  `SELECT pg_read_file('postgresql.conf')`,
  'TRUNCATE jobs',
  'GRANT spooled_system TO spooled_app',
  'ALTER ROLE spooled_app BYPASSRLS',
  'SELECT usename, passwd FROM pg_shadow',
];

/** Reads and writes as the request role in every way that the catalogue offers. */
export async function attackDatabase(attack: DatabaseAttack, findings: Findings, via = 'direct'): Promise<void> {
  const client = new pg.Client({ connectionString: attack.appUrl });
  await client.connect();
  const session = new Session(client);
  const before = await attack.dump();
  try {
    await client.query(`SET statement_timeout = '10s'`);
    for (const relation of await relationsOf(attack.superuser)) {
      await attackRelation(attack, session, relation, findings, via);
    }
    if (via === 'direct') {
      let known = before;
      for (const one of await functionsOf(attack.superuser)) {
        await attackFunction(attack, session, one, findings);
        const after = await attack.dump();
        if (after !== known) findings.leak(`SQL: ${one.name} changes rows of the victim`);
        known = after;
      }
      await tryEscapes(session, findings);
      await compareUniques(attack, findings);
    }
    if ((await attack.dump()) !== before) findings.leak('SQL: rows of the victim have changed');
  } finally {
    await client.end();
  }
}

type Result = { rows: unknown[]; count: number; error: string };

class Session {
  constructor(private readonly client: pg.Client) {}

  /** Runs statements in a transaction; the result is that of the last one. */
  async run(statements: string[], end: 'COMMIT' | 'ROLLBACK' = 'ROLLBACK'): Promise<Result> {
    await this.client.query('BEGIN');
    try {
      let last: Result = { rows: [], count: 0, error: '' };
      for (const text of statements) {
        const { rows, rowCount } = await this.client.query(text);
        last = { rows, count: rowCount ?? 0, error: '' };
      }
      await this.client.query(end);
      return last;
    } catch (error) {
      await this.client.query('ROLLBACK');
      const { message, detail = '', hint = '' } = error as pg.DatabaseError;
      return { rows: [], count: 0, error: `${message} ${detail} ${hint}` };
    }
  }

  async tenant(): Promise<string | null> {
    const { rows } = await this.client.query<{ tenant: string | null }>(
      `SELECT current_setting('app.current_org_id', true) AS tenant`,
    );
    return rows[0]!.tenant || null;
  }
}

async function attackRelation(
  attack: DatabaseAttack,
  session: Session,
  relation: Relation,
  findings: Findings,
  via: string,
): Promise<void> {
  const { name, column, mayRead } = relation;
  if (mayRead && !column && !shared.includes(name))
    return findings.leak(`SQL: ${name} is readable and has no organization`);
  for (const [setting, prepare] of Object.entries(settings)) {
    findings.count(`SQL, reads of relations (${via})`);
    const where = column ? `WHERE ${column} = '${attack.victim.organizationId}'` : '';
    const read = await session.run([...prepare(attack), `SELECT t::text FROM "${name}" t ${where} LIMIT 5000`]);
    const visible = column ? read.count > 0 : markIn(JSON.stringify(read.rows), attack.victim) !== undefined;
    if (visible) findings.leak(`SQL: ${name} is visible with ${setting}`);
    if (markIn(read.error, attack.victim)) findings.leak(`SQL: an error about ${name} tells the victim's data`);
  }
  if (column && !relation.isView) await writeTo(attack, session, { ...relation, column }, findings, via);
}

async function writeTo(
  attack: DatabaseAttack,
  session: Session,
  { name, column }: Relation & { column: string },
  findings: Findings,
  via: string,
): Promise<void> {
  const { victim, attackerId, superuser } = attack;
  const acting = [asTenant(attackerId)];
  const of = (id: string) => `WHERE ${column} = '${id}'`;
  const attempts: Record<string, string> = {
    'be changed': `UPDATE "${name}" SET ${column} = ${column} ${of(victim.organizationId)}`,
    'be taken over': `UPDATE "${name}" SET ${column} = '${attackerId}' ${of(victim.organizationId)}`,
    'be deleted': `DELETE FROM "${name}" ${of(victim.organizationId)}`,
  };
  for (const [what, statement] of Object.entries(attempts)) {
    findings.count(`SQL, writes to tables (${via})`);
    const { count } = await session.run([...acting, statement]);
    if (count > 0) findings.leak(`SQL: rows of ${name} can ${what}`);
  }
  findings.count(`SQL, writes to tables (${via})`);
  const { rows } = await superuser.query<{ row: string }>(
    `SELECT to_jsonb(t)::text AS row FROM "${name}" t ${of(victim.organizationId)} LIMIT 1`,
  );
  if (!rows[0]) return;
  const copy = `INSERT INTO "${name}" SELECT * FROM jsonb_populate_record(NULL::"${name}", ${pg.escapeLiteral(rows[0].row)}::jsonb)`;
  const { error } = await session.run([...acting, copy]);
  // A generated column is refused before the policy is asked.
  if (!rowLevelSecurity.test(error) && !permissionDenied.test(error) && !/non-DEFAULT value/.test(error))
    findings.leak(`SQL: ${name} accepts rows of the victim (${error.slice(0, 80) || 'no error'})`);
}

async function attackFunction(
  { victim, attackerId }: DatabaseAttack,
  session: Session,
  { name, parameters }: DatabaseFunction,
  findings: Findings,
): Promise<void> {
  for (const org of [attackerId, null]) {
    for (const part of [0, 1]) {
      const values = parameters.map((parameter) => argumentFor(parameter, victim, org, part));
      const unknown = parameters.find((_, i) => values[i] === undefined);
      if (unknown) return findings.leak(`SQL: the type ${unknown.type} of ${name} is unknown to the generator`);
      findings.count('SQL, calls of functions');
      const call = `SELECT to_jsonb(r)::text AS r FROM ${name}(${values.join(', ')}) AS r`;
      const { rows, error } = await session.run([...(org ? [asTenant(org)] : []), call], 'COMMIT');
      if (markIn(JSON.stringify(rows), victim)) findings.leak(`SQL: ${name} returns data of the victim`);
      if (markIn(error, victim)) findings.leak(`SQL: an error of ${name} tells data of the victim`);
      if (await session.tenant()) {
        findings.leak(`SQL: after ${name} the next transaction of its connection has a tenant`);
        await session.run([`SELECT set_config('app.current_org_id', '', false)`], 'COMMIT');
      }
    }
  }
}

async function tryEscapes(session: Session, findings: Findings): Promise<void> {
  for (const statement of escapes) {
    findings.count('SQL, ways out of the role');
    const { error } = await session.run(statement.split('; '));
    if (error === '') findings.leak(`SQL: the request role may run ${statement}`);
  }
}

async function compareUniques({ superuser }: DatabaseAttack, findings: Findings): Promise<void> {
  for (const index of await uniqueAcross(superuser)) {
    findings.count('SQL, unique indexes over organizations');
    if (!uniqueNames.includes(index)) findings.leak(`SQL: ${index} tells which values others have`);
  }
}
