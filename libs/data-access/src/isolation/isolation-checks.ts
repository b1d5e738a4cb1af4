import { systemClock } from '@spooled/clock';
import { z } from 'zod';
import { withAdvisoryLock } from '../database/advisory-lock.js';
import type { Database } from '../database/database.js';
import { checkIsolation, type IsolationCheckOptions, type IsolationFinding } from './check-isolation.js';
import {
  findLatestIsolationCheck,
  type FindLatestIsolationCheckResult,
  listIsolationChecks as listIsolationChecksSql,
  type ListIsolationChecksResult,
  recordIsolationCheck,
  trimIsolationChecks,
} from './isolation-checks.queries.js';

/** When the database was checked last, and what is known of it. */
export interface LatestIsolationCheck extends Omit<FindLatestIsolationCheckResult, 'passed' | 'finished_at'> {
  /** Of the latest check that found something or read every table; null before one. */
  result: { passed: boolean; finished_at: string } | null;
}

/** A recorded check. */
export interface IsolationCheckRow extends ListIsolationChecksResult {
  findings: IsolationFinding[];
}

const keptChecks = 30;
/** Findings of one check that are kept: one wrong table has five at most, and there are some for each partition. */
const keptFindings = 100;

const storedFindings = z.array(z.object({ table: z.string().nullable(), problem: z.string() }));

/**
 * Checks that tenants are isolated in this database and records the result. The newest 30 are kept, and the latest one that found something or
 * read every table.
 * @param version of the service that checks
 * @returns the check; null when another process is checking
 * @throws SpooledError 503; nothing is recorded then
 */
export const recordIsolation = (
  db: Database,
  version: string,
  options: IsolationCheckOptions = {},
): Promise<IsolationCheckRow | null> =>
  withAdvisoryLock(db, 'isolation check', async () => {
    const clock = options.clock ?? systemClock;
    const startedAt = clock.monotonic();
    const { findings, ...result } = await checkIsolation(db, options);
    return db.asSystem('record an isolation check', async (tx) => {
      const row = await tx.one(recordIsolationCheck, {
        ...result,
        version,
        passed: findings.length === 0,
        findings: JSON.stringify(shortened(findings)),
        tookMs: clock.monotonic() - startedAt,
      });
      await tx.run(trimIsolationChecks, { kept: keptChecks });
      return toCheck(row);
    });
  });

/** Recorded checks, the newest first; `after` is the id of the last one of the previous page. */
export async function listIsolationChecks(
  db: Database,
  page: { limit: number; offset: number; after: string | null },
): Promise<IsolationCheckRow[]> {
  const rows = await db.asSystem('list isolation checks', (tx) => tx.run(listIsolationChecksSql, page));
  return rows.map(toCheck);
}

/** The age of the latest check in milliseconds, whether a service of this version has checked, and the result; null before the first check. */
export async function latestIsolationCheck(db: Database, version: string): Promise<LatestIsolationCheck | null> {
  const [row] = await db.asSystem('find the latest isolation check', (tx) =>
    tx.run(findLatestIsolationCheck, { version }),
  );
  if (!row) return null;
  const { passed, finished_at, ...latest } = row;
  return { ...latest, result: passed === null ? null : { passed, finished_at: finished_at! } };
}

const toCheck = (row: ListIsolationChecksResult): IsolationCheckRow => ({
  ...row,
  findings: storedFindings.parse(row.findings),
});

function shortened(findings: IsolationFinding[]): IsolationFinding[] {
  const more = findings.length - keptFindings;
  if (more <= 0) return findings;
  return [...findings.slice(0, keptFindings), { table: null, problem: `${more} more findings are not listed` }];
}
