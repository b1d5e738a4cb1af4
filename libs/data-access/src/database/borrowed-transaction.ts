import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Installation, installationIn } from './installation.js';
import { typesOfRows } from './pool.js';
import { type BatchTransaction, statementsOf } from './transactions.js';

/** A connection of the application with an open transaction, such as a `Client` of node-postgres. */
export interface BorrowedClient {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** @param mark differs in each call */
const enter = ({ app, schema }: Installation, mark: string): pg.QueryConfig => ({
  text: `SELECT current_setting('role') AS role, current_setting('search_path') AS path,
    set_config('role', $1, true), set_config('search_path', $2, true), set_config('app.transaction_mark', $3, true)`,
  // Temporary tables of the application would be first if the path did not name them.
  values: [app, `${schema}, pg_temp`, mark],
});
/**
 * Outside of a transaction the settings above are gone with their statement, as they are on another connection of a pool. The role
 * alone would not show it for a caller who logs in as that role.
 */
const verify = ({ app }: Installation, mark: string): pg.QueryConfig => ({
  text: `SELECT current_user = $1 AND current_setting('app.transaction_mark', true) IS NOT DISTINCT FROM $2 AS entered`,
  values: [app, mark],
});

/**
 * Runs `work` in a transaction that the caller has begun and will end, as the request role (BX-18). Role and search path are restored
 * afterwards, and no organization stays set. When `work` rejects with an error of PostgreSQL, the transaction can only be rolled back.
 * @throws Error when no transaction is open, or the caller's role may not switch to the request role; TypeError for another client
 */
export async function inBorrowedTransaction<T>(
  client: BorrowedClient,
  work: (tx: BatchTransaction) => Promise<T>,
  installation = installationIn(),
): Promise<T> {
  const mark = randomUUID();
  const before = await entered(client, enter(installation, mark), installation);
  const check = (await client.query(verify(installation, mark))).rows[0] as { entered: boolean };
  if (!check.entered) throw new Error('No transaction is open on this connection: send BEGIN first');
  const send = async (text: string, values: readonly unknown[] = []) =>
    (await client.query({ text, values: [...values], types: typesOfRows })).rows as unknown[];
  const restore = () =>
    client.query({
      text: `SELECT set_config('app.current_org_id', '', true), set_config('role', $1, true), set_config('search_path', $2, true)`,
      values: [before.role, before.path],
    });
  const value = await work(statementsOf(send) as BatchTransaction).catch(async (error: unknown) => {
    // Fails in a transaction that PostgreSQL has aborted.
    await restore().catch(() => undefined);
    throw error;
  });
  await restore();
  return value;
}

const insufficientPrivilege = '42501';
const acceptedClients = 'tx: must be a client of node-postgres, a Client or one that pool.connect() gives';

/** What the caller's transaction has set. `client` may be anything. */
async function entered(
  client: unknown,
  statement: pg.QueryConfig,
  { app }: Installation,
): Promise<{ role: string; path: string }> {
  if (typeof (client as BorrowedClient | null)?.query !== 'function') throw new TypeError(acceptedClients);
  try {
    const { rows } = ((await (client as BorrowedClient).query(statement)) ?? {}) as Partial<pg.QueryResult>;
    if (!Array.isArray(rows)) throw new TypeError(acceptedClients);
    return rows[0] as { role: string; path: string };
  } catch (error) {
    if ((error as { code?: string } | null)?.code !== insufficientPrivilege) throw error;
    throw new Error(`tx: its role must be a member of ${app}: GRANT ${app} TO that role`, { cause: error });
  }
}
