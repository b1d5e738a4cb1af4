import type { Transaction } from '@spooled/data-access';
import type { EffectsBuilder } from '../step/effects.js';
import { recordRuns as recordRunsSql } from './record-runs.queries.js';

/** One run of a schedule: the job it created, or why it created none. */
export interface ScheduledRun {
  scheduleId: string;
  organizationId: string;
  queueName: string;
  jobId: string | null;
  error: string | null;
}

/** Records runs and their webhook deliveries in the transaction that creates the jobs. */
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
  effects.deliver(await tx.run(recordRunsSql, { runs: JSON.stringify(rows) }));
}
