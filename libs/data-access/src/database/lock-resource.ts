import { lockResource as lockResourceSql } from './lock-resource.queries.js';
import type { TenantTransaction } from './transactions.js';

/** Serializes transactions that count and then create a resource of an organization; held until the commit. */
export async function lockResource(tx: TenantTransaction, resource: string): Promise<void> {
  await tx.run(lockResourceSql, { resource });
}
