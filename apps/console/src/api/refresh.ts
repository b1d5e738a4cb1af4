import { queryClient } from './query-client';

/** With what keys of views begin. */
export type Views =
  | 'jobs'
  | 'queues'
  | 'operations'
  | 'failures'
  | 'workers'
  | 'workflows'
  | 'batches'
  | 'schedules'
  | 'throttles'
  | 'webhooks'
  | 'keys'
  | 'session'
  | 'organization'
  | 'platform';

/** Reads views again, after an act of the user. Jobs and queues show each other's changes, and the session those of its key. */
export const refresh = (...views: Views[]): Promise<unknown> =>
  Promise.all(views.map((view) => queryClient.invalidateQueries({ queryKey: [view] })));
