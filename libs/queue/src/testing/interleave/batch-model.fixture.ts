import type { BatchCallback } from '@spooled/contracts';
import type { Model, ModelJob } from './model.fixture.js';

type Counted = 'succeeded' | 'failed' | 'cancelled';

/** The batch of a schedule. */
export interface ModelBatch {
  status: 'open' | 'closed' | 'completed' | 'cancelled';
  /** All of its jobs had ended once after it was closed. */
  isEnded: boolean;
  total: number;
  counts: Readonly<Record<Counted, number>>;
  /** How each of its jobs is counted; null: it has not ended. */
  members: ReadonlyMap<string, Counted | null>;
  /** Whether the jobs of the callbacks that were created still exist. */
  callbacks: ReadonlyMap<BatchCallback, 'there' | 'gone'>;
  /** An operation cancels its waiting jobs. */
  isStopping: boolean;
}

export const openBatch: ModelBatch = {
  ...{ status: 'open', isEnded: false, total: 0, isStopping: false },
  counts: { succeeded: 0, failed: 0, cancelled: 0 },
  members: new Map(),
  callbacks: new Map(),
};

const countedAs: Record<ModelJob['state'], Counted | null> = {
  ...{ waiting: null, leased: null, gone: 'cancelled' },
  ...{ completed: 'succeeded', cancelled: 'cancelled', dead: 'failed' },
};

export const withBatch = (model: Model, change: Partial<ModelBatch>): Model => ({
  ...model,
  batch: { ...model.batch!, ...change },
});

export const joinBatch = (model: Model, job: string): Model =>
  withBatch(model, {
    total: model.batch!.total + 1,
    members: new Map(model.batch!.members).set(job, null),
  });

/** Counts the jobs of the batch as they are now, and creates the callbacks that are due. */
export function settleBatch(model: Model): Model {
  if (!model.batch) return model;
  const batch = recounted(model.batch, model.jobs);
  const due: BatchCallback[] = batch.counts.failed > 0 ? ['on_death'] : [];
  const hasEnded = [...batch.members.values()].every((counted) => counted !== null);
  const hasSucceeded = batch.counts.succeeded === batch.total;
  if (batch.status === 'open' || !hasEnded) return { ...model, batch: withCallbacks(batch, due) };
  due.push('on_complete');
  if (hasSucceeded && batch.status !== 'cancelled') due.push('on_success');
  const status = batch.status === 'cancelled' ? 'cancelled' : 'completed';
  return { ...model, batch: withCallbacks({ ...batch, status, isEnded: true }, due) };
}

/** A job that was deleted stays counted as it had ended. */
function recounted(batch: ModelBatch, jobs: Model['jobs']): ModelBatch {
  const counts = { ...batch.counts };
  const members = new Map(batch.members);
  for (const [id, before] of batch.members) {
    const { state } = jobs.get(id)!;
    const now = state === 'gone' && before !== null ? before : countedAs[state];
    if (before !== null) counts[before]--;
    if (now !== null) counts[now]++;
    members.set(id, now);
  }
  return { ...batch, counts, members };
}

const withCallbacks = (batch: ModelBatch, due: readonly BatchCallback[]): ModelBatch => ({
  ...batch,
  callbacks: new Map([...due.map((name) => [name, 'there'] as const), ...batch.callbacks]),
});

export type DescribedBatch = Pick<ModelBatch, 'status' | 'isEnded' | 'total'> &
  Record<Counted, number> & {
    /** Callbacks of which it has the id of the job. */
    created: BatchCallback[];
    /** Jobs of callbacks that exist. */
    jobs: BatchCallback[];
  };

export function describeBatch(batch: DescribedBatch | null): string[] {
  if (!batch) return [];
  const { status, isEnded, total, succeeded, failed, cancelled, created, jobs } = batch;
  return [
    `batch ${status}${isEnded ? ', ended' : ''}, ${total} jobs: ${succeeded} succeeded, ${failed} failed, ${cancelled} cancelled`,
    `callbacks created: ${created.toSorted().join(', ')}; of which there are: ${jobs.toSorted().join(', ')}`,
  ];
}

export const describedBatch = ({ batch }: Model): DescribedBatch | null =>
  batch && {
    ...batch,
    ...batch.counts,
    created: [...batch.callbacks.keys()],
    jobs: [...batch.callbacks].filter(([, state]) => state === 'there').map(([name]) => name),
  };

/** The batch of an organization as `describeBatch` reads it. */
export const batchState = `
  SELECT b.status, b.completed_at IS NOT NULL AS "isEnded", b.total_jobs AS total,
    n.succeeded, n.failed, n.cancelled,
    array_remove(ARRAY[
      CASE WHEN b.success_job_id IS NOT NULL THEN 'on_success' END, CASE WHEN b.complete_job_id IS NOT NULL THEN 'on_complete' END,
      CASE WHEN b.death_job_id IS NOT NULL THEN 'on_death' END], NULL) AS created,
    ARRAY(SELECT j.job_type FROM jobs j WHERE j.organization_id = $1 AND j.queue_name = 'callbacks') AS jobs
  FROM batches b CROSS JOIN LATERAL (
    SELECT coalesce(sum(succeeded), 0)::int AS succeeded, coalesce(sum(failed), 0)::int AS failed,
      coalesce(sum(cancelled), 0)::int AS cancelled
    FROM batch_counts c WHERE c.batch_id = b.id
  ) AS n
  WHERE b.organization_id = $1`;

/** What is wrong with a batch that is closed and whose jobs have ended. */
export const unfinishedBatch = `
  SELECT format('batch %s has ended: %s, and its members are counted as %s', b.status, b.completed_at IS NOT NULL, n.counted) AS problem
  FROM batches b CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_array(m.outcome, j.outcome)) AS counted
    FROM batch_jobs m LEFT JOIN jobs j ON j.id = m.job_id
    WHERE m.batch_id = b.id AND (m.outcome IS NULL OR m.outcome <> coalesce(j.outcome::text, m.outcome))
  ) AS n
  WHERE b.organization_id = $1 AND (b.completed_at IS NULL OR n.counted IS NOT NULL)`;
