import {
  contractCompatibilities,
  contractModes,
  maxDocumentBytesPerStatement,
  type ContractCompatibility,
  type ContractMode,
} from '@spooled/domain';
import { oneOf } from '../database/stored-values.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  deleteContracts as deleteContractsSql,
  findContract as findContractSql,
  findContractSchema as findContractSchemaSql,
  insertContract as insertContractSql,
  listCurrentContracts as listCurrentContractsSql,
  retireContract as retireContractSql,
  sampleNewestJobs as sampleNewestJobsSql,
  type FindContractResult,
  type SampleNewestJobsResult,
} from './payload-contracts.queries.js';

/** Old versions that are kept beside the current one, of up to 64 KB each. */
const keptVersions = 50;
/** Jobs that are looked at for a sample of one queue; each may have a large payload, which is read only if it belongs to the queue. */
const seenForSample = 5_000;

/** Which contract is current for a queue. */
export interface CurrentContract {
  /** Of this version; a schema never changes. */
  id: string;
  version: number;
  mode: ContractMode;
}

/** One version of a contract; the schema is JSON text. */
export type ContractRow = Omit<FindContractResult, 'mode' | 'compatibility'> & {
  mode: ContractMode;
  compatibility: ContractCompatibility;
};

export interface NewContract {
  mode: ContractMode;
  compatibility: ContractCompatibility;
  /** JSON text. */
  schema: string;
  createdBy: string | null;
}

export type { SampleNewestJobsResult as SampledJobRow };

/** The current contracts of the organization by queue. */
export async function listCurrentContracts(tx: TenantTransaction): Promise<Map<string, CurrentContract>> {
  const rows = await tx.run(listCurrentContractsSql);
  return new Map(
    rows.map(({ queue_name, id, version, mode }) => [queue_name, { id, version, mode: oneOf(contractModes, mode) }]),
  );
}

/** The schema of a version as JSON text; null when the version no longer exists. */
export async function findContractSchema(tx: TenantTransaction, id: string): Promise<string | null> {
  const [row] = await tx.run(findContractSchemaSql, { id });
  return row?.schema ?? null;
}

/** @param version null = the current one */
export async function findContract(
  tx: TenantTransaction,
  queueName: string,
  version: number | null,
): Promise<ContractRow | undefined> {
  const [row] = await tx.run(findContractSql, { queueName, version });
  return row && toContract(row);
}

/** Makes a contract the current one of its queue, whose settings the caller has locked. @param version one more than the current one's */
export async function insertContract(
  tx: TenantTransaction,
  queueName: string,
  version: number,
  contract: NewContract,
): Promise<ContractRow> {
  await tx.run(retireContractSql, { queueName, keptFrom: version - keptVersions });
  const [row] = await tx.run(insertContractSql, { queueName, version, ...contract });
  return toContract(row!);
}

/** Deletes the contract of a queue with all its versions. Returns whether there was one. */
export async function deleteContract(tx: TenantTransaction, queueName: string): Promise<boolean> {
  return (await tx.run(deleteContractsSql, { queueName })).length > 0;
}

/** Of the organization's newest jobs those of one queue, the newest first: up to `limit`, and up to 8 MB of payloads. */
export const sampleNewestJobs = (
  tx: TenantTransaction,
  queueName: string,
  limit: number,
): Promise<SampleNewestJobsResult[]> =>
  tx.run(sampleNewestJobsSql, { queueName, seen: seenForSample, maxBytes: maxDocumentBytesPerStatement, limit });

const toContract = (row: FindContractResult): ContractRow => ({
  ...row,
  mode: oneOf(contractModes, row.mode),
  compatibility: oneOf(contractCompatibilities, row.compatibility),
});
