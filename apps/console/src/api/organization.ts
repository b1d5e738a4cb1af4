import { queryOptions } from '@tanstack/react-query';
import { retryMs } from '../ui/retry-ms';
import { api } from './client';

/** The organization with its settings. */
export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', 'one', id],
    queryFn: ({ signal }) => api.organizations.get(id, { signal }),
    staleTime: 60_000,
    // While it cannot be read, payloads show no values.
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
    meta: { label: 'The organization' },
  });

/** The member of the organization's settings with the paths whose values hide, so that a team shares them. */
export const hiddenPathsSetting = 'console_hidden_paths';
