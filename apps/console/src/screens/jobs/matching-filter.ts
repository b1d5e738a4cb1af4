import type { Body, JobFilters } from '@spooled/sdk/browser';

export type MatchingFilter = Omit<Body<'POST /api/v1/jobs/cancellations'>, 'dryRun' | 'holdSeconds' | 'perSecond'> & {
  queueName: string;
};

/** The filter of the list as acts on many jobs take it; a text says why there are none for it. */
export function matchingFilterOf(list: JobFilters): MatchingFilter | string {
  const { queue: queueName, status, search, jobType, tag, createdAfter, createdBefore } = list;
  const statuses = status === undefined ? [] : [status].flat();
  const waiting = (['pending', 'scheduled'] as const).filter((one) => statuses.includes(one));
  if (queueName === undefined) return 'filter by a queue first';
  if (statuses.length > 0 && waiting.length === 0) return 'only pending and scheduled jobs can be changed';
  const only = waiting.length === 1 ? waiting[0] : undefined;
  return { queueName, status: only, search, jobType, tag, createdAfter, createdBefore };
}
