import type { SystemTransaction, TenantTransaction } from '../database/transactions.js';
import {
  beginCauseLook,
  type BeginCauseLookResult,
  deleteCauseReportStates,
  endCauseLook as endCauseLookSql,
  findCauseReaders as findCauseReadersSql,
  findCausesToReport as findCausesToReportSql,
  type FindCausesToReportResult,
  noteSeenCauses,
} from './cause-reports.queries.js';

export { type FindCausesToReportResult as ReportableGroup, noteReportedCause } from './cause-reports.queries.js';

/** Longer than any transaction that writes dead letters takes. */
const lagSeconds = 10;
/** Between two looks for an organization. */
const pauseSeconds = 15;
/** How far back the first look for an organization goes. */
const longestMinutes = 60;
/** Groups of dead letters that a look compares, and dead letters that it counts. */
const bounds = { most: 500, scanned: 10_000 };

/**
 * From which death to which an organization is looked at, and what was reported in its hour. `omitted`: causes beyond the bound of the
 * hour, as they were reported; null: they were not.
 */
export type CauseLook = BeginCauseLookResult;

/** Organizations that may have causes to report to webhooks, those looked at longest ago first. */
export async function findCauseReaders(tx: SystemTransaction, limit: number): Promise<string[]> {
  await tx.run(deleteCauseReportStates);
  return (await tx.run(findCauseReadersSql, { limit, lagSeconds, pauseSeconds })).map(({ organization_id: id }) => id);
}

/**
 * Begins to look at the causes of an organization; others wait until the transaction ends. Null: it has no webhook for them.
 * @returns the groups of the last hour or since the last look, and whether there are more than are compared
 */
export async function lookAtCauses(
  tx: TenantTransaction,
): Promise<{ look: CauseLook; groups: FindCausesToReportResult[]; isCut: boolean } | null> {
  const look = await tx.first(beginCauseLook, { lagSeconds, longestMinutes });
  if (!look) return null;
  const { startedAt, lookedUntil, until } = look;
  const groups = await tx.run(findCausesToReportSql, { startedAt, lookedUntil, until, ...bounds });
  return { look, groups, isCut: groups.length >= bounds.most };
}

/** Notes what was looked at and reported. @param seen causes with new dead letters, and the last of these */
export async function endCauseLook(
  tx: TenantTransaction,
  { until, hourBeganAt, reported, omitted }: CauseLook,
  seen: { causeId: string; lastSeenAt: string }[],
): Promise<void> {
  const causeIds = seen.map(({ causeId }) => causeId);
  await tx.run(noteSeenCauses, { causeIds, times: seen.map(({ lastSeenAt }) => lastSeenAt) });
  await tx.run(endCauseLookSql, { until, hourBeganAt, reported, omitted });
}
