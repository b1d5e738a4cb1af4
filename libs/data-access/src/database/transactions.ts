import type { QueryResultRow } from 'pg';
import type { StatementParameters, PreparedQuery } from './prepared-query.js';

/** Runs SQL inside one transaction. Calls may be issued without awaiting the previous one: they are pipelined. */
export interface Transaction {
  /** Runs a statement of a `.sql` file. */
  run<Parameters, Row>(
    statement: PreparedQuery<Parameters, Row>,
    ...parameters: StatementParameters<Parameters>
  ): Promise<Row[]>;
  /** Runs a statement whose text is built at run time; `Row` is not checked. */
  query<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

declare const tenantMark: unique symbol;
declare const systemMark: unique symbol;
declare const batchMark: unique symbol;

/** A transaction of one organization: row-level security hides the rows of others. Only `withTenant` creates one. */
export interface TenantTransaction extends Transaction {
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
