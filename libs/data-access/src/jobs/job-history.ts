import type { TenantTransaction } from '../database/transactions.js';
import { listJobHistory as listJobHistorySql } from './list-job-history.queries.js';

export {
  findJobForTimeline,
  type FindJobForTimelineResult as TimelineJobRow,
} from './find-job-for-timeline.queries.js';
export { listJobDeliveries, type ListJobDeliveriesResult as JobDeliveryRow } from './list-job-deliveries.queries.js';
export { listRelatives, type ListRelativesResult as RelativeRow } from './list-relatives.queries.js';

/** One event of a job's history. */
export interface JobEventRow {
  id: string;
  /** What happened, as it is stored: `worker_lost` is a `lease_expired` for callers. */
  event: string;
  at: string;
  worker_id: string | null;
  lease_id: string | null;
  /** Number of the attempt, from 1. */
  attempt: number | null;
  /** As text (`parseActor`); null where the event says it itself, or unknown. */
  actor: string | null;
  error: string | null;
  details: Record<string, unknown> | null;
}

/** A page of events, and how many the job has. */
export interface JobHistory {
  events: JobEventRow[];
  total: number;
}

export interface HistoryPage {
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

type Queues = string[] | null;

/** A page of the events of a job, or undefined when it does not exist in the organization and these queues. */
export async function listJobHistory(
  tx: TenantTransaction,
  id: string,
  queues: Queues,
  { direction, limit, offset }: HistoryPage,
): Promise<JobHistory | undefined> {
  const rows = await tx.run(listJobHistorySql, { id, queues, ascending: direction === 'asc', limit, offset });
  if (rows.length === 0) return undefined;
  const events = rows.flatMap(({ id, event, at, total: _, details, ...row }) => {
    if (id === null || event === null || at === null) return [];
    const parsed = details === null ? null : (JSON.parse(details) as Record<string, unknown>);
    return [{ id, event, at, ...row, details: parsed }];
  });
  return { events, total: rows[0]!.total };
}
