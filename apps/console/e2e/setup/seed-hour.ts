import type { SharedStack } from './stack.js';
import { runSql } from './sql.js';

export interface SeededQueue {
  name: string;
  /** Jobs created in 10 s, on average. */
  created: number;
}

const stepMs = 10_000;
const hourMs = 3_600_000;
const aheadMs = 240_000;
/** Between these many minutes ago workers were slow, so that jobs piled up. */
const slow = { from: 32, to: 22 };

/**
 * Fills the series of queues and of their organization as if this had been an ordinary hour with ten slow minutes; also four minutes
 * ahead, so that the figures do not stop when the caller's real jobs do.
 */
export async function seedHour(stack: SharedStack, organizationId: string, queues: SeededQueue[]): Promise<void> {
  const last = Math.floor(Date.now() / stepMs) * stepMs - stepMs;
  const times = Array.from({ length: (hourMs + aheadMs) / stepMs + 6 }, (_, i) => last + aheadMs - i * stepMs);
  await runSql(
    stack,
    `INSERT INTO series_samples (step, at, counted_from, counted_to, counted_seconds, has_depth)
     SELECT 10, at, at, at + interval '10 s', 10, true FROM unnest($1::timestamptz[]) at ON CONFLICT DO NOTHING`,
    [times.filter((at) => at < last).map(timestamp)],
  );
  const all = { name: '', created: queues.reduce((sum, { created }) => sum + created, 0) };
  const rows = [...queues, all].flatMap((queue) => times.map((at) => stepOf(queue, at, (last - at) / 60_000)));
  await runSql(
    stack,
    `INSERT INTO queue_series
     SELECT r.* FROM jsonb_populate_recordset(NULL::queue_series, $1::jsonb) r ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows.map((row) => ({ ...row, organization_id: organizationId })))],
  );
  // As the scheduler adds up ten seconds into minutes.
  await runSql(
    stack,
    `INSERT INTO series_samples SELECT 60, date_trunc('minute', at), min(counted_from), max(counted_to), sum(counted_seconds), true
     FROM series_samples WHERE step = 10 GROUP BY 2 HAVING count(*) = 6 ON CONFLICT DO NOTHING`,
    [],
  );
  await runSql(
    stack,
    `INSERT INTO queue_series SELECT DISTINCT ON (organization_id, queue_name, date_trunc('minute', at)) organization_id, 60, queue_name,
       date_trunc('minute', at), 6 * created, 6 * started, 6 * completed, 6 * retried, deadlettered, cancelled, 6 * wait_ms, 6 * run_ms,
       pending, scheduled, processing, oldest_ms, left_out, wait_buckets, wait_jobs, run_buckets, run_jobs
     FROM queue_series WHERE organization_id = $1 AND step = 10 ORDER BY 1, 3, 4, at DESC ON CONFLICT DO NOTHING`,
    [organizationId],
  );
}

const timestamp = (at: number): string => new Date(at).toISOString();

function stepOf({ name, created: average }: SeededQueue, at: number, minutesAgo: number): object {
  const created = Math.round(average * wave(at / stepMs));
  const isSlow = minutesAgo < slow.from && minutesAgo > slow.to;
  const recovery = minutesAgo <= slow.to ? Math.max(1, 9 - (slow.to - minutesAgo)) : 1;
  const delay = isSlow ? 1 + (slow.from - minutesAgo) * 0.8 : recovery;
  const completed = Math.round(created * (isSlow ? 0.7 : 0.98));
  const retried = Math.round(created * 0.02);
  const jobs = [0.5, 0.35, 0.12, 0.03].map((share) => Math.max(1, Math.round(completed * share)));
  const waitBucket = 7 + Math.round(Math.log2(Math.max(1, delay)) * 1.2);
  return {
    step: 10,
    queue_name: name,
    at: timestamp(at),
    created,
    started: completed + retried,
    completed,
    retried,
    deadlettered: 0,
    expired: 0,
    cancelled: 0,
    wait_ms: Math.round(completed * 90 * delay),
    run_ms: completed * 140,
    pending: Math.round(average * 0.4 * delay),
    scheduled: Math.round(average / 4),
    processing: Math.round(average * 0.2 * wave(at / stepMs + 50)),
    oldest_ms: Math.round(400 * delay),
    left_out: 0,
    wait_buckets: [0, 1, 2, 3].map((i) => waitBucket + i),
    wait_jobs: jobs,
    run_buckets: [8, 9, 10, 11],
    run_jobs: jobs,
  };
}

/** Around 1, and the same at each run. */
const wave = (step: number): number =>
  1 + 0.25 * Math.sin(step / 40) + 0.12 * Math.sin(step / 7) + 0.08 * Math.sin(step * 1.7);
