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
  addContractViolations as addContractViolationsSql,
  findContract as findContractSql,
  insertContract as insertContractSql,
  listContractVersions as listContractVersionsSql,
  listCurrentContracts as listCurrentContractsSql,
  retireContract as retireContractSql,
  sampleNewestJobs as sampleNewestJobsSql,
  type FindContractResult,
  type ListContractVersionsResult,
  type SampleNewestJobsResult,
} from './payload-contracts.queries.js';

export { deleteContracts, findContractSchema } from './payload-contracts.queries.js';

/** Old versions that are kept beside the current one, of up to 64 KB each. */
const keptVersions = 50;
/** Violations of a version that can be read one by one. */
const keptSamples = 5;
/** Jobs that are looked at for a sample of one queue; each may have a large payload, which is read only if it belongs to the queue. */
const seenForSample = 5_000;

/** Which contract is current for a queue. */
export interface CurrentContract {
  /** Of this version; a schema never changes. */
  id: string;
  version: number;
  mode: ContractMode;
}

/** A version as its columns are typed. */
type Typed<Row> = Omit<Row, 'mode' | 'compatibility' | 'violation_samples'> & {
  mode: ContractMode;
  compatibility: ContractCompatibility;
  violation_samples: ViolationSample[];
};

/** One version of a contract; the schema is JSON text. */
export type ContractRow = Typed<FindContractResult>;

/** One version of a contract, without its schema. */
export type ContractVersionRow = Typed<ListContractVersionsResult>;

/** A payload that has violated a contract of mode `warn`. */
export interface ViolationSample {
  at: string;
  path: string;
  reason: string;
}

/** A violation that is to be recorded, and how long ago it was. */
export interface ContractViolation {
  path: string;
  reason: string;
  ms_ago: number;
}

export interface NewContract {
  mode: ContractMode;
  compatibility: ContractCompatibility;
  /** JSON text. */
  schema: string;
  createdBy: string | null;
}

/** The current contracts of the organization by queue. */
export async function listCurrentContracts(tx: TenantTransaction): Promise<Map<string, CurrentContract>> {
  const rows = await tx.run(listCurrentContractsSql);
  return new Map(
    rows.map(({ queue_name, id, version, mode }) => [queue_name, { id, version, mode: oneOf(contractModes, mode) }]),
  );
}

/** @param version null = the current one */
export async function findContract(
  tx: TenantTransaction,
  queueName: string,
  version: number | null,
): Promise<ContractRow | undefined> {
  const row = await tx.first(findContractSql, { queueName, version });
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
  const row = await tx.one(insertContractSql, { queueName, version, ...contract });
  return toContract(row);
}

/** The versions of a queue's contract, the newest first. Empty: there is none. */
export async function listContractVersions(tx: TenantTransaction, queueName: string): Promise<ContractVersionRow[]> {
  return (await tx.run(listContractVersionsSql, { queueName })).map(toContract);
}

/** Adds violations of a version; nothing for one that is gone. @param newest some of them, the newest first, of which five are kept */
export async function addContractViolations(
  tx: TenantTransaction,
  id: string,
  { count, newest }: { count: number; newest: ContractViolation[] },
): Promise<void> {
  await tx.run(addContractViolationsSql, { id, count, newest: JSON.stringify(newest), kept: keptSamples });
}

/** Of the organization's newest jobs those of one queue, the newest first: up to `limit`, and up to 8 MB of payloads. */
export const sampleNewestJobs = (
  tx: TenantTransaction,
  queueName: string,
  limit: number,
): Promise<SampleNewestJobsResult[]> =>
  tx.run(sampleNewestJobsSql, { queueName, seen: seenForSample, maxBytes: maxDocumentBytesPerStatement, limit });

const toContract = <Row extends { mode: string; compatibility: string; violation_samples: unknown }>(
  row: Row,
): Typed<Row> => ({
  ...row,
  violation_samples: row.violation_samples as ViolationSample[],
  mode: oneOf(contractModes, row.mode),
  compatibility: oneOf(contractCompatibilities, row.compatibility),
});
