import type { Body, JobFilters } from '@spooled/sdk/browser';

/** Which jobs an act takes: those of a queue that match a filter, or those that were chosen one by one. */
export type JobSelection = Omit<
  Body<'POST /api/v1/jobs/cancellations'>,
  'dryRun' | 'holdSeconds' | 'perSecond' | 'queueName'
> & { queueName?: string };

/** The server takes so many ids at once. */
const maxChosen = 1_000;

/** The filter of the list as acts on many jobs take it; a text says why there are none for it. */
export function matchingJobs(list: JobFilters): JobSelection | string {
  const { queue: queueName, status, search, jobType, tag, createdAfter, createdBefore } = list;
  const statuses = status === undefined ? [] : [status].flat();
  const waiting = (['pending', 'scheduled'] as const).filter((one) => statuses.includes(one));
  if (queueName === undefined) return 'filter by a queue first';
  if (statuses.length > 0 && waiting.length === 0) return 'only pending and scheduled jobs can be changed';
  const only = waiting.length === 1 ? waiting[0] : undefined;
  return { queueName, status: only, search, jobType, tag, createdAfter, createdBefore };
}

/** Jobs by their ids; a text says why there are no acts on so many. */
export const chosenJobs = (jobIds: string[]): { jobIds: string[] } | string =>
  jobIds.length <= maxChosen ? { jobIds } : `choose at most ${maxChosen} jobs`;
