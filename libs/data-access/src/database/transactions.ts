import type { QueryResultRow } from 'pg';
import type { PreparedQuery, StatementParameters } from './prepared-query.js';

/**
 * Runs SQL inside one transaction. Calls may be issued without awaiting the previous one: they are pipelined.
 * `Given`: parameters that the transaction adds.
 */
export interface Transaction<Given extends string = never> {
  /** Runs a statement of a `.sql` file. */
  run<Parameters, Row>(
    statement: PreparedQuery<Parameters, Row>,
    ...parameters: StatementParameters<Parameters, Given>
  ): Promise<Row[]>;
  /** The first row of a statement, if it has one. */
  first<Parameters, Row>(
    statement: PreparedQuery<Parameters, Row>,
    ...parameters: StatementParameters<Parameters, Given>
  ): Promise<Row | undefined>;
  /** The row of a statement that always has one. */
  one<Parameters, Row>(
    statement: PreparedQuery<Parameters, Row>,
    ...parameters: StatementParameters<Parameters, Given>
  ): Promise<Row>;
  /** Runs a statement whose text is built at run time; `Row` is not checked. */
  query<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

/** Sends a statement and returns its rows. */
export type SendStatement = (text: string, values?: readonly unknown[]) => Promise<unknown[]>;

/** The calls of a transaction whose statements `send` sends. @param given parameters that it adds to them */
export function statementsOf(send: SendStatement, given?: object): Transaction {
  const run = (statement: PreparedQuery<never, unknown>, parameters?: object) =>
    send(statement.text, statement.values(parameters, given));
  return {
    run,
    first: async (...call: Parameters<typeof run>) => (await run(...call))[0],
    one: async (...call: Parameters<typeof run>) => (await run(...call))[0],
    query: send,
  } as Transaction;
}

declare const tenantMark: unique symbol;
declare const systemMark: unique symbol;
declare const batchMark: unique symbol;

/** A transaction of one organization: row-level security hides the rows of others. Only `withTenant` creates one. */
export interface TenantTransaction extends Transaction<'organizationId'> {
  readonly organizationId: string;
  readonly [tenantMark]: true;
}

/** A transaction of the maintenance role across all tenants. Only `asSystem` creates one, and it requires a reason. */
export interface SystemTransaction extends Transaction {
  readonly [systemMark]: true;
}

/**
 * A transaction of the request role without a tenant: no row is visible until a batch function (`…_v1(batch)`) sets the
 * organization of each item.
 */
export interface BatchTransaction extends Transaction {
  readonly [batchMark]: true;
}
