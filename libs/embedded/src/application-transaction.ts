import {
  type BatchTransaction,
  type Borrower,
  type Database,
  inBorrowedTransaction,
  sendAsTexts,
  sendDirectly,
} from '@spooled/data-access';
import { isConnection, rowsOf, sqlClientOf } from '@spooled/sdk/internal';
import type { Tenant } from './tenant.js';

/** The last call in each transaction: a second one would find the role of the first. */
const lastCalls = new WeakMap<object, Promise<unknown>>();

/**
 * Runs `work` in an open transaction of the application, after earlier calls in it.
 * @param tx anything; see `sqlClientOf`
 * @throws TypeError, Error as `sqlClientOf` and `inBorrowedTransaction`
 */
export async function inApplicationTransaction<T>(
  tx: unknown,
  { db, tenant }: { db: Database; tenant: Tenant },
  work: (tx: BatchTransaction) => Promise<T>,
  { needsReadCommitted }: Required<Pick<Borrower, 'needsReadCommitted'>>,
): Promise<T> {
  const client = sqlClientOf(tx, 'tx');
  const owner = tx as object;
  const send = isConnection(owner)
    ? sendDirectly(owner as Parameters<typeof sendDirectly>[0])
    : sendAsTexts((text, values) => rowsOf<object>(client, text, values));
  const borrower = { organizationId: tenant.id, installation: db.installation, needsReadCommitted };
  const run = () => inBorrowedTransaction(owner, send, borrower, work);
  const call = (lastCalls.get(owner) ?? Promise.resolve()).then(run);
  lastCalls.set(
    owner,
    call.catch(() => undefined),
  );
  return call;
}
