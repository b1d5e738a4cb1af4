import { randomUUID } from 'node:crypto';
import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import type { Database } from '../database/database.js';
import { isStatementTimeout } from '../database/database-errors.js';
import type { TransactionLimits } from '../database/limits.js';
import type { BatchTransaction, TenantTransaction } from '../database/transactions.js';
import { readDefinition, readWaysAround, type TableDefinition } from './definition-problems.js';
import { findSomeOrganization, listTenantTables } from './read-definitions.queries.js';

/** What is wrong; `table` is null for what concerns a role, a view or a function. */
export interface IsolationFinding {
  table: string | null;
  problem: string;
}

export interface IsolationCheckOptions {
  clock?: Clock;
  /** Time for one read of a table. Default 2,000. */
  tableMs?: number;
}

/** What one check has found. */
export interface IsolationResult {
  tablesChecked: number;
  findings: IsolationFinding[];
  /** Tables that were locked, or for which there was no time. */
  tablesNotChecked: string[];
}

/** Random pages of a table that one read samples: the cost does not grow with the table. */
const sampledPages = 100;
const tableMs = 2_000;
const lockMs = 500;
/** Of a whole check. It took 0.5 s with 60 tables. */
const budgetMs = 10_000;

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

type Visible = { visible: boolean }[];

/** As whom a table is read. */
interface Reader {
  /** Whose rows may be visible; null = of none. */
  organizationId: string | null;
  /** What it means when other rows are. */
  problem: string;
  read(work: (tx: BatchTransaction | TenantTransaction) => Promise<Visible>): Promise<Visible>;
}

/**
 * Checks in the database itself that tenants are isolated (SP-59, BX-01): compares what the catalogue says about each table with what this
 * release creates, and reads each table as requests do: without an organization, as one that does not exist, and as one
 * that exists.
 * @throws SpooledError 503
 */
export async function checkIsolation(db: Database, options: IsolationCheckOptions): Promise<IsolationResult> {
  const clock = options.clock ?? systemClock;
  const limits = { timeoutMs: options.tableMs ?? tableMs, lockMs };
  const endsAt = clock.monotonic() + budgetMs;
  const tables = await db.inBatch((tx) => tx.run(listTenantTables));
  const findings: IsolationFinding[] = (await db.inBatch((tx) => readWaysAround(tx, db.installation))).map(
    (problem) => ({ table: null, problem }),
  );
  const readers = await readersOf(db, limits);
  const tablesNotChecked: string[] = [];
  for (const { name } of tables) {
    const problems: string[] = [];
    const isDone = clock.monotonic() < endsAt && (await checkTable(db, limits, readers, name, problems));
    if (!isDone) tablesNotChecked.push(name);
    findings.push(...problems.map((problem) => ({ table: name, problem })));
  }
  return {
    tablesChecked: tables.length - tablesNotChecked.length,
    findings: findings.toSorted((a, b) => compare(a.table ?? '', b.table ?? '')),
    tablesNotChecked: tablesNotChecked.toSorted(),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

async function readersOf(db: Database, limits: TransactionLimits): Promise<Reader[]> {
  const [existing] = await db.asSystem('find an organization', (tx) => tx.run(findSomeOrganization));
  const asTenant = (organizationId: string, problem: string): Reader => ({
    organizationId,
    problem,
    read: (work) => db.withTenant(organizationId, work, limits),
  });
  return [
    {
      organizationId: null,
      problem: 'rows are visible without an organization',
      read: (work) => db.inBatch(work, limits),
    },
    asTenant(randomUUID(), 'rows are visible to an organization that does not exist'),
    ...(existing ? [asTenant(existing.id, 'rows of others are visible to an organization')] : []),
  ];
}

/** Adds what is wrong with a table to `problems`; returns whether all of it could be checked in time. */
async function checkTable(
  db: Database,
  limits: TransactionLimits,
  readers: Reader[],
  name: string,
  problems: string[],
): Promise<boolean> {
  try {
    const table = await db.inBatch((tx) => readDefinition(tx, name, db.installation), limits);
    problems.push(...(table?.problems ?? []));
    for (const reader of table ? readers : []) {
      if (await seesOthers(reader, name, table!)) problems.push(reader.problem);
    }
    return true;
  } catch (error) {
    if (isStatementTimeout(error)) return false;
    // A partition that was dropped since, and a table that requests may not read at all.
    const { code } = error as { code?: string };
    if (code === undefinedTable || code === insufficientPrivilege) return true;
    throw error;
  }
}

/** Whether the reader sees a row that is not of its organization. */
async function seesOthers(
  { organizationId, read }: Reader,
  name: string,
  { column, pages }: TableDefinition,
): Promise<boolean> {
  const percent = 100 * Math.min(1, sampledPages / Math.max(pages, 1));
  const sql = `SELECT EXISTS (SELECT FROM "${name.replaceAll('"', '""')}" TABLESAMPLE SYSTEM ($1)
    WHERE ${column} IS DISTINCT FROM $2::uuid) AS visible`;
  const [row] = await read((tx) => tx.query<Visible[number]>(sql, [percent, organizationId]));
  return row!.visible;
}
