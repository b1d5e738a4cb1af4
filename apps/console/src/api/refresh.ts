import { queryClient } from './query-client';

/** Reads the views whose keys begin with one of these again, after an act of the user. Jobs and queues show each other's changes. */
export const refresh = (
  ...keys: ('jobs' | 'queues' | 'operations' | 'failures' | 'workers' | 'workflows' | 'batches' | 'schedules')[]
): Promise<unknown> => Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
