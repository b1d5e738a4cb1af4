import type { Transaction } from '@spooled/data-access';
import type { DecidedDelivery, EffectsBuilder } from '../step/effects.js';
import recordRunsSql from './record-runs.sql';

/** One run of a schedule: the job that it made, or why it made none. */
export interface ScheduledRun {
  scheduleId: string;
  organizationId: string;
  queueName: string;
  jobId: string | null;
  error: string | null;
}

/** Writes the history of runs in the transaction that made their jobs, and what outgoing webhooks hear of them. */
export async function recordRuns(
  tx: Transaction,
  runs: ScheduledRun[],
  source: 'schedule' | 'manual',
  effects: EffectsBuilder,
): Promise<void> {
  if (runs.length === 0) return;
  const rows = runs.map((run) => ({
    schedule: run.scheduleId,
    org: run.organizationId,
    queue: run.queueName,
    job: run.jobId,
    error: run.error,
    source,
  }));
  const [row] = await tx.query<{ deliveries: DecidedDelivery[] }>(recordRunsSql, [JSON.stringify(rows)]);
  effects.deliver(row!.deliveries);
}
