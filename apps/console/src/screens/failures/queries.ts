import type { Body, Query, ResponseBody, Row } from '@spooled/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { orNull, pagedQuery } from '../../api/paged-query';
import type { HiddenPaths } from '../../ui/hidden-values';
import { prettyJson } from '../../ui/json-text';
import { type ContrastSample, readContrastSample } from './contrast-sample';
import type { FailuresSearch } from '../../app/screens';

const route = 'GET /api/v1/jobs/dlq/groups';
const pageSize = 50;
const groupJobs = 100;

export type FailureCause = ResponseBody<'GET /api/v1/jobs/dlq/causes'>['causes'][number];
export type FailureGroup = Row<typeof route>;
export type FailureGroupDetails = ResponseBody<'GET /api/v1/jobs/dlq/groups/{id}'>;
type ReplayBody = Body<'POST /api/v1/jobs/dlq/replays'>;
type Filters = 'queueName' | 'cause' | 'causeId' | 'search';
/** Which dead letters an act takes. */
export type DeadLetterSelection = Pick<ReplayBody, Filters | 'groupId' | 'jobIds' | 'all'>;
/** Which dead letters the list shows. Its acts take the same object, so that they take what is shown. */
export type GroupsFilter = Pick<Query<typeof route>, Filters>;

export const filterOf = ({ queue, q, cause, search }: FailuresSearch): GroupsFilter => ({
  queueName: queue,
  cause: q,
  causeId: cause,
  search,
});

export const causesQuery = ({ order, ...search }: FailuresSearch) =>
  queryOptions({
    queryKey: ['failures', 'causes', filterOf(search), order],
    queryFn: ({ signal }) =>
      api.jobs.deadLetters.causes({ ...filterOf(search), orderBy: order ? 'first_seen' : 'count' }, { signal }),
    meta: { label: 'Failures', topics: ['jobs'] },
  });

export const groupsQuery = ({ order, ...search }: FailuresSearch) =>
  pagedQuery(route, {
    queryKey: ['failures', 'groups', filterOf(search), order],
    query: { ...filterOf(search), orderBy: order ?? 'count', limit: pageSize },
    meta: { label: 'Failures', topics: ['jobs'] },
  });

/** The dead letters of a search. */
export const deadLettersQuery = ({ queue, search }: FailuresSearch) =>
  pagedQuery('GET /api/v1/jobs/dlq', {
    queryKey: ['failures', 'search', queue ?? '', search ?? ''],
    query: { queue, search, limit: pageSize },
    meta: { label: 'Dead letters', topics: ['jobs'] },
  });

/** A group with its newest jobs, of those that the search finds; null when it is empty. */
export const groupQuery = (id: string, search: string | undefined) =>
  queryOptions({
    queryKey: ['failures', 'group', id, search ?? ''],
    queryFn: ({ signal }) => orNull(api.jobs.deadLetters.group(id, { search, limit: groupJobs }, { signal })),
    meta: { label: 'Failures of one cause', topics: ['jobs'] },
  });

/** A job as an example: its payload and whole error. */
export const sampleQuery = (id: string) =>
  queryOptions({
    queryKey: ['failures', 'sample', id],
    queryFn: ({ signal }) => api.jobs.get(id, { signal }),
    staleTime: 60_000,
  });

/** About 80 requests, so only when it is asked for. */
export const contrastQuery = (
  { details, search }: { details: FailureGroupDetails; search: string | undefined },
  hidden: HiddenPaths,
) =>
  queryOptions({
    queryKey: ['failures', 'contrast', details.group.id, search ?? ''],
    enabled: false,
    staleTime: Infinity,
    queryFn: ({ signal }): Promise<ContrastSample> => readContrastSample(details, hidden, signal),
  });

export const replayPreviewQuery = (body: ReplayBody) =>
  queryOptions({
    // As text: the library compares keys as JSON, which has no integers beyond 2^53.
    queryKey: ['failures', 'replay', prettyJson(body)],
    queryFn: ({ signal }) => api.jobs.deadLetters.previewReplay(body, { signal }),
  });

export const purgePreviewQuery = (body: DeadLetterSelection) =>
  queryOptions({
    queryKey: ['failures', 'purge', body],
    queryFn: ({ signal }) => api.jobs.deadLetters.previewPurge(body, { signal }),
  });
