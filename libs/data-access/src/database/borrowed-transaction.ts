import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { FailureCause } from './failure-cause.js';
import { type Installation, installationIn } from './installation.js';
import { typesOfRows } from './pool.js';
import { type BatchTransaction, type SendStatement, statementsOf } from './transactions.js';

/** For whom statements run in the application's transaction. */
export interface Borrower {
  organizationId: string;
  installation?: Installation;
  /** Whether `work` decides by what others have committed, which a transaction with one snapshot does not see. */
  needsReadCommitted?: boolean;
}

/** What the application's transaction had set. */
interface Before {
  role: string;
  path: string;
  isolation: string;
  /** The request role; null if the login may not switch to it. */
  entered: string | null;
  /** Whether the server has the request role. */
  known: boolean;
}

interface Verified {
  entered: boolean;
  /** Only when the database is checked. */
  installed?: boolean;
}

/** A function of every installation, and of no application. */
const installedFunction = 'protect_tenant_table';

/** @param role the request role, or null */
const enterWith = (role: string): string =>
  `SELECT current_setting('role') AS role, current_setting('search_path') AS path,
    current_setting('transaction_isolation') AS isolation, ${role} AS entered,
    set_config('search_path', $2, true) AS _path, set_config('app.transaction_mark', $3, true) AS _mark`;
const enterAgain = enterWith(`true AS known, set_config('role', $1, true)`);
/** Fails neither without the role nor without the right to it, so that the transaction remains usable. */
const enter = enterWith(
  `to_regrole($1) IS NOT NULL AS known, CASE WHEN pg_has_role(session_user, to_regrole($1), 'SET') THEN set_config('role', $1, true) END`,
);

/**
 * Outside of a transaction the settings above are gone with their statement, as they are on another connection of a pool. The role
 * alone would not show it for a caller who logs in as that role.
 */
const verifyAgain = `SELECT current_user = $1 AND current_setting('app.transaction_mark', true) IS NOT DISTINCT FROM $2 AS entered`;
const verify = `${verifyAgain}, to_regproc($3) IS NOT NULL AS installed`;

const setOrganization = `SELECT set_config('app.current_org_id', $1, true) AS _id`;
const findOrganization = 'SELECT EXISTS (SELECT FROM organizations WHERE id = $1) AS found';

const restore = `SELECT set_config('app.current_org_id', '', true) AS _id, set_config('role', $1, true) AS _role,
  set_config('search_path', $2, true) AS _path`;

/**
 * Transactions, or their connections, in whose database the organization was found. They stay in it, so later calls save the checks, which
 * cost 70 µs, and 190 for the organization.
 */
const checked = new WeakMap<object, string>();

/**
 * Runs `work` in a transaction that the caller has begun and will end, as the request role (BX-18). Role and search path are restored
 * afterwards, and no organization stays set. When `work` rejects with an error of PostgreSQL, the transaction can only be rolled back.
 * Nothing else may use the connection in the meantime.
 * @param owner the caller's transaction or connection
 * @throws Error when no transaction is open, its isolation level does not fit, the caller's role may not switch to the request role, or the
 *   database is not that of the organization
 */
export async function inBorrowedTransaction<T>(
  owner: object,
  send: SendStatement,
  { organizationId, installation = installationIn(), needsReadCommitted = false }: Borrower,
  work: (tx: BatchTransaction) => Promise<T>,
): Promise<T> {
  const { app, schema } = installation;
  const mark = randomUUID();
  const failures = new FailureCause();
  const sending: SendStatement = (text, values) =>
    send(text, values).catch((error: unknown) => {
      throw failures.of(error);
    });
  const isChecked = checked.get(owner) === organizationId;
  // Temporary tables of the application would be first if the path did not name them.
  const settings = [app, `${schema}, pg_temp`, mark];
  const before = await only<Before>(sending, isChecked ? enterAgain : enter, settings).catch(explained(app));
  const leave = () => sending(restore, [before.role, before.path]);
  let value: T;
  try {
    await requireEntered(sending, before, { mark, isChecked, installation });
    if (needsReadCommitted) requireReadCommitted(before);
    if (!isChecked) await requireOrganization(sending, organizationId);
    checked.set(owner, organizationId);
    value = await work(statementsOf(sending) as BatchTransaction);
  } catch (error) {
    // PostgreSQL has aborted a transaction in which a statement has failed, and rolling it back restores everything.
    if (!failures.any) await leave();
    throw error;
  }
  await leave();
  return value;
}

/** For a connection of node-postgres, which reads rows as our pools do. */
export const sendDirectly =
  (client: { query(query: pg.QueryConfig): Promise<pg.QueryResult> }): SendStatement =>
  async (text, values = []) =>
    (await client.query({ text, values: [...values], types: typesOfRows })).rows as unknown[];

/**
 * For any other library: values as texts, and each row as one text of JSON, because libraries differ in how they write and read all else. A
 * column of `json` would become a value, so statements cast it to text.
 * @param sendText returns rows with one column
 */
export const sendAsTexts =
  (sendText: (text: string, values: (string | null)[]) => Promise<object[]>): SendStatement =>
  async (text, values = []) =>
    (await sendText(`SELECT to_json(t)::text AS row FROM (${text}) AS t`, values.map(textOf))).map(
      (row) => JSON.parse(Object.values(row)[0] as string) as unknown,
    );

const otherDatabase = 'it must be the database of this process';

const insufficientPrivilege = '42501';
const needsRole = (app: string) => `tx: its role must be a member of ${app}: GRANT ${app} TO that role`;

/** For a role that has lost the right since the connection was checked. */
const explained =
  (app: string) =>
  (error: unknown): never => {
    if ((error as { code?: string } | null)?.code !== insufficientPrivilege) throw error;
    throw new Error(needsRole(app), { cause: error });
  };

async function requireEntered(
  send: SendStatement,
  before: Before,
  { mark, isChecked, installation }: { mark: string; isChecked: boolean; installation: Installation },
): Promise<void> {
  const { app, schema } = installation;
  const missing = `tx: its database has no installation of Spooled in the schema ${schema}: ${otherDatabase}`;
  if (!before.known) throw new Error(missing);
  if (before.entered === null) throw new Error(needsRole(app));
  const found = isChecked
    ? await only<Verified>(send, verifyAgain, [app, mark])
    : await only<Verified>(send, verify, [app, mark, installedFunction]);
  if (!found.entered) {
    throw new Error(
      'tx: no transaction is open on this connection: send BEGIN first, or give the transaction, not its pool or database',
    );
  }
  if (found.installed === false) throw new Error(missing);
}

/** PostgreSQL runs READ UNCOMMITTED as READ COMMITTED. */
function requireReadCommitted({ isolation }: Before): void {
  if (isolation.startsWith('read ')) return;
  throw new Error(
    `tx: its isolation level is ${isolation}: begin it with READ COMMITTED, because later commits of others count`,
  );
}

/** Rows of jobs name their organization without a foreign key: in another database they would belong to nobody. */
async function requireOrganization(send: SendStatement, organizationId: string): Promise<void> {
  await send(setOrganization, [organizationId]);
  const { found } = await only<{ found: boolean }>(send, findOrganization, [organizationId]);
  if (!found) throw new Error(`tx: its database has no organization ${organizationId}: ${otherDatabase}`);
}

/** @throws TypeError for a client that answers without rows */
async function only<Row>(send: SendStatement, text: string, values: string[]): Promise<Row> {
  const [row] = await send(text, values);
  if (row === undefined) throw new TypeError('tx: must answer with the rows of its statements');
  return row as Row;
}

/** As PostgreSQL reads the value from a text, whatever its type is there. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`A statement in the application's transaction has a value of the type ${typeof value}`);
}

const elementOf = (value: unknown): string => {
  const text = textOf(value);
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
};
