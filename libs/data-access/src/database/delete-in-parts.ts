import type { Database } from './database.js';
import type { TenantTransaction } from './transactions.js';

/** 5,000 rows with six indexes take about 0.3 s, far from the time limit of a statement. */
const rowsPerPart = 5_000;

/**
 * Deletes rows of an organization that would go by cascade, before what they refer to, with a transaction for each part. One statement
 * for hundreds of thousands of rows reaches its time limit, and does so each time it is repeated.
 * @param deletePart deletes up to `limit` rows and returns how many it has deleted
 */
export async function deleteInParts(
  database: Database,
  organizationId: string,
  deletePart: (tx: TenantTransaction, limit: number) => Promise<{ deleted: number }>,
): Promise<void> {
  const deleted = () => database.withTenant(organizationId, async (tx) => (await deletePart(tx, rowsPerPart)).deleted);
  while ((await deleted()) === rowsPerPart);
}
