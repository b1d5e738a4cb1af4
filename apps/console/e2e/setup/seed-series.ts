import { runSql } from './sql.js';
import type { SharedStack } from './stack.js';

/** What happened in each 10 s. */
export interface SeededStep {
  created: number;
  completed: number;
  processing: number;
  /** Default: none. */
  pending?: number;
  /** How long the oldest one waited. Default: 0. */
  oldestMs?: number;
}

/** A sample of the scheduler may have counted less than its time, such as its first one. */
const overwritten = `ON CONFLICT (step, at) DO UPDATE SET
  counted_from = excluded.counted_from, counted_to = excluded.counted_to, counted_seconds = excluded.counted_seconds`;

/**
 * Fills the series of a queue and of its organization as if it had gone like this for ten minutes; also three minutes ahead, so that what a test does with the queue
 * does not change the figures.
 */
export async function seedSeries(
  stack: SharedStack,
  organizationId: string,
  queueName: string,
  { created, completed, processing, pending = 0, oldestMs = 0 }: SeededStep,
): Promise<void> {
  const steps = (from: string, to: string) => `generate_series(date_bin('10 s', now(), 'epoch') + interval '${from}',
    date_bin('10 s', now(), 'epoch') + interval '${to}', interval '10 s') AS at`;
  await runSql(
    stack,
    `INSERT INTO series_samples (step, at, counted_from, counted_to, counted_seconds, has_depth)
     SELECT 10, at, at, at + interval '10 s', 10, true FROM ${steps('-11 min', '-20 s')} ${overwritten}`,
    [],
  );
  // As the scheduler adds up ten seconds into minutes.
  await runSql(
    stack,
    `INSERT INTO series_samples SELECT 60, date_trunc('minute', at), min(counted_from), max(counted_to), sum(counted_seconds), true
     FROM series_samples WHERE step = 10 GROUP BY 2 HAVING count(*) = 6 ${overwritten}`,
    [],
  );
  const insert = (step: number, queue: string, times: string) =>
    runSql(
      stack,
      `INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
         wait_ms, run_ms, pending, scheduled, processing, oldest_ms)
       SELECT $1, $2, $3, at, $4, $5, $5, 0, 0, 0, 0, 0, $7, 0, $6, $8 FROM ${times} ON CONFLICT DO NOTHING`,
      [organizationId, step, queue, (created * step) / 10, (completed * step) / 10, processing, pending, oldestMs],
    );
  await insert(10, queueName, steps('-11 min', '3 min'));
  // The load of organizations is read from their minutes.
  await insert(
    60,
    '',
    `generate_series(date_trunc('minute', now()) - interval '10 min', now() - interval '1 min', interval '1 min') AS at`,
  );
}
