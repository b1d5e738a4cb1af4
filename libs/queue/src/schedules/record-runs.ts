import type { Transaction } from '@spooled/data-access';
import { recordedDeliveries } from '../step/answers.js';
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

/** Records runs and their webhook deliveries in the transaction that creates the jobs, and collects their live events. */
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
  const { now: timestamp, deliveries } = await tx.one(recordRunsSql, { runs: JSON.stringify(rows) });
  effects.deliver(recordedDeliveries.parse(deliveries));
  for (const { scheduleId: schedule_id, organizationId, queueName: queue_name, jobId: job_id } of runs) {
    if (job_id === null) continue;
    const data = { schedule_id, job_id, queue_name, source, timestamp };
    effects.event(organizationId, { type: 'ScheduleTriggered', data });
  }
}
