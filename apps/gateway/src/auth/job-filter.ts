import type { jobSchemas } from '@spooled/contracts';
import { type JobConditions, readClock, type TenantTransaction } from '@spooled/data-access';
import { type JobSearch, searchedPeriod } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { visibleQueues } from './queue-scope.js';

type Query = Pick<
  jobSchemas.ListJobsQuery,
  'queue' | 'queue_name' | 'status' | 'tag' | 'job_type' | 'q' | 'created_after' | 'created_before' | 'search'
>;

/** The filters of a list of jobs, whether they come as parameters or in the search line; all must hold. */
export function jobFilterOf(principal: Principal, query: Query, now: string | null): JobConditions {
  const { search } = query;
  const period = searchedPeriod(search, now, { after: query.created_after, before: query.created_before });
  return {
    queues: inBoth(visibleQueues(principal, query.queue_name, query.queue), search?.queues),
    statuses: inBoth(query.status, search?.statuses),
    tag: query.tag ?? null,
    jobType: query.job_type ?? null,
    text: query.q ?? null,
    createdAfter: period.after,
    createdBefore: period.before,
    terms: search ? termsOf(search) : null,
  };
}

/** The time that ages of a search count from; null when it has none. */
export const searchTime = async (tx: TenantTransaction, { search }: Query): Promise<string | null> =>
  search && [...search.createdAfter, ...search.createdBefore].some((bound) => 'ageMs' in bound) ? readClock(tx) : null;

/** Null when queues, statuses and times, which lists have filters for, are all that is searched for. */
function termsOf(search: JobSearch): JobConditions['terms'] {
  const { types, workers, keys, words, tags, payload, errors } = search;
  const lists = [words, tags, payload, errors];
  const isEmpty = !types && !workers && !keys && lists.every((list) => list.length === 0);
  return isEmpty ? null : search;
}

/** Null = any. */
function inBoth<T>(one: readonly T[] | null | undefined, other: readonly T[] | null | undefined): T[] | null {
  if (!one || !other) return one || other ? [...(one ?? other)!] : null;
  return one.filter((value) => other.includes(value));
}
