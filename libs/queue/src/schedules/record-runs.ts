import type { Transaction } from '@spooled/data-access';
import type { EffectsBuilder } from '../step/effects.js';
import { recordRuns as recordRunsSql, type RecordRunsRecord } from './record-runs.queries.js';

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
  const rows = runs.map((run) => {
    const { scheduleId: schedule, organizationId: org, queueName: queue, jobId: job, error } = run;
    return { schedule, org, queue, job, error, source } satisfies RecordRunsRecord;
  });
  effects.deliver(await tx.run(recordRunsSql, { runs: JSON.stringify(rows) }));
}
