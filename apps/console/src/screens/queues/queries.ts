import { queryOptions } from '@tanstack/react-query';
import type { ResponseBody, Row } from '@spooled/sdk/browser';
import { api } from '../../api/client';
import { pagedQuery } from '../../api/paged-query';
import type { LimitsAndDefaults } from './settings-effect';

const route = 'GET /api/v1/queue-explanations';
const pageSize = 100;
/** All queues are explained at once, which costs more than a single view. */
const listRefreshMs = 10_000;

export type QueueRow = Row<typeof route>;

export const queuesQuery = pagedQuery(route, {
  queryKey: ['queues', 'list'],
  query: { limit: pageSize },
  refetchInterval: listRefreshMs,
  meta: { label: 'Queues' },
});

/** A queue with its settings. */
export const queueQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'settings', name],
    queryFn: ({ signal }) => api.queues.get(name, { signal }),
    meta: { label: `Settings of ${name}`, topics: [] },
  });

export type QueueSettings = ResponseBody<'GET /api/v1/queues/{name}'>;

/** The limits and defaults among the settings; `concurrency` is a member that callers may have set to anything. */
export const settingsOf = ({ maxRetries, defaultTimeout, rateLimit, settings }: QueueSettings): LimitsAndDefaults => ({
  maxRetries,
  timeout: defaultTimeout,
  rateLimit,
  concurrency: typeof settings.concurrency === 'number' ? settings.concurrency : null,
});

/** Why a queue does not move, or how it does. */
export const queueExplanationQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'explanation', name],
    queryFn: ({ signal }) => api.queues.explain(name, { signal }),
    meta: { label: `State of ${name}`, topics: ['queues', 'workers'] },
  });

/** Number of jobs by status. */
export const queueCountsQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'counts', name],
    queryFn: ({ signal }) => api.jobs.stats(name, { signal }),
    meta: { label: `Counts of ${name}`, topics: ['jobs'] },
  });

/** Who created the newest jobs of the last minutes. */
export const producersQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'producers', name],
    queryFn: ({ signal }) => api.queues.producers(name, {}, { signal }),
    refetchInterval: listRefreshMs,
    meta: { label: `Producers of ${name}` },
  });

/** The versions of its payload contract, the newest first; none without a contract. */
export const contractVersionsQuery = (name: string) =>
  queryOptions({
    queryKey: ['queues', 'contract', name],
    queryFn: ({ signal }) => api.queues.payloadContract.versions(name, { signal }),
    meta: { label: `Contract of ${name}`, topics: ['queues'] },
  });

/** A version of the contract with its schema. */
export const contractQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ['queues', 'contract', name, version],
    queryFn: ({ signal }) => api.queues.payloadContract.get(name, { version, signal }),
    staleTime: Infinity,
  });

/** What draining a queue would cancel. */
export const drainPreviewQuery = (name: string, status: 'pending' | null) =>
  queryOptions({
    queryKey: ['queues', 'drain', name, status],
    queryFn: ({ signal }) => api.operations.previewCancelJobs({ queueName: name, status }, { signal }),
    meta: { label: `Waiting jobs of ${name}` },
  });

/** Those that hold, in all queues that the session may see. */
export const throttlesQuery = queryOptions({
  queryKey: ['throttles', 'list'],
  queryFn: ({ signal }) => api.throttles.list({ signal }),
  refetchInterval: listRefreshMs,
  meta: { label: 'Throttles' },
});
