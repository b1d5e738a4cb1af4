import { queryOptions } from '@tanstack/react-query';
import { api } from './client';

/** While it cannot be read, payloads show no values, so it is asked for again soon. */
const retryMs = 5_000;

/** The organization with its settings. */
export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', 'one', id],
    queryFn: ({ signal }) => api.organizations.get(id, { signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
    meta: { label: 'The organization' },
  });

/** The member of the organization's settings with the paths whose values hide, so that a team shares them. */
export const hiddenPathsSetting = 'console_hidden_paths';
