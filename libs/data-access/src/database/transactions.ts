import type { QueryResultRow } from 'pg';
import type { Given, PreparedQuery } from './prepared-query.js';

/** Runs SQL inside one transaction. Calls may be issued without awaiting the one before: they travel in one round trip. */
export interface Transaction {
  /** Runs a statement of a `.sql` file. */
  run<Parameters, Row>(statement: PreparedQuery<Parameters, Row>, ...parameters: Given<Parameters>): Promise<Row[]>;
  /** Runs a statement whose text is known at run time only; `Row` is not checked. */
  query<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
}

declare const tenantMark: unique symbol;
declare const systemMark: unique symbol;
declare const batchMark: unique symbol;

/** A transaction of one organization: row-level security shows its rows and no others. Only `withTenant` makes one. */
export interface TenantTransaction extends Transaction {
  readonly organizationId: string;
  readonly [tenantMark]: true;
}

/** A transaction of the maintenance role, over all tenants. Only `asSystem` makes one, and it must say why. */
export interface SystemTransaction extends Transaction {
  readonly [systemMark]: true;
}

/**
 * A transaction of the request role without a tenant: no row is visible in it, until a batch function
 * (`…_v1(batch)`) sets the organization for each of its parts.
 */
export interface BatchTransaction extends Transaction {
  readonly [batchMark]: true;
}
