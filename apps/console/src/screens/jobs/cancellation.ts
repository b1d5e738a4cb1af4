import type { Body, JobFilters } from '@spooled/sdk/browser';

export type CancellationFilter = Omit<Body<'POST /api/v1/jobs/cancellations'>, 'dryRun' | 'holdSeconds' | 'perSecond'>;

/** The filter of the list as cancellations take it; a text says why there are none for it. */
export function cancellationOf(list: JobFilters): CancellationFilter | string {
  const { queue: queueName, status, search, jobType, tag, createdAfter, createdBefore } = list;
  const statuses = status === undefined ? [] : [status].flat();
  const waiting = (['pending', 'scheduled'] as const).filter((one) => statuses.includes(one));
  if (queueName === undefined) return 'filter by a queue first';
  if (statuses.length > 0 && waiting.length === 0) return 'only pending and scheduled jobs can be cancelled';
  const only = waiting.length === 1 ? waiting[0] : undefined;
  return { queueName, status: only, search, jobType, tag, createdAfter, createdBefore };
}
