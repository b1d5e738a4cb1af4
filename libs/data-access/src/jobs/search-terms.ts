import type { ListPosition } from '../database/list-position.js';
import type { TenantTransaction } from '../database/transactions.js';
import {
  type Found,
  type JobConditions,
  type JobListFilter,
  type JobTerms,
  type Part,
  searchOf,
} from './job-filter.js';
import { findJobsByKeys, matchSearch } from './match-search.queries.js';

/** Jobs that the other filters select and that are compared with the terms at once. */
const roundSize = 1_000;
/** 4,000 jobs: about 100 ms of one core. */
const maxRounds = 4;
/** Bytes of payloads that a search reads: PostgreSQL parses about 150 MB a second. */
const maxPayloadBytes = 16 * 1024 * 1024;

/** Finds jobs by the filters that have an index. */
type FindJobs = (filter: JobListFilter, part: Part) => Promise<Found>;

/** The filter that finds what the terms ask for without comparing any job; null when no filter says as much as the terms. */
export function filterForTerms(filter: JobListFilter, terms: JobTerms): JobListFilter | null {
  const { queues, statuses, tag, jobType, text } = narrow(filter, terms);
  const isSaid =
    [terms.keys, terms.workers].every((one) => one === null) &&
    [terms.payload, terms.errors].every(({ length }) => length === 0) &&
    isWithin(queues, terms.queues) &&
    isWithin(statuses, terms.statuses) &&
    isWithin(jobType === null ? null : [jobType], terms.types) &&
    terms.words.every((word) => word === text) &&
    terms.tags.every(({ name, value }) => name === tag && value === null);
  return isSaid ? { ...filter, tag, jobType, text, terms: null } : null;
}

/** Null = any. */
const isWithin = <T>(chosen: readonly T[] | null, asked: readonly T[] | null): boolean =>
  asked === null || (chosen?.every((one) => asked.includes(one)) ?? false);

/**
 * Finds jobs that meet the terms of a search, among a bounded number of those that its other filters select. `searchedTo` is the last job
 * that was compared when more may follow.
 * @param findJobs finds the jobs that the filter selects without its terms
 */
export async function searchTerms(
  tx: TenantTransaction,
  { filter, terms, part }: { filter: JobListFilter; terms: JobTerms; part: Part },
  findJobs: FindJobs,
): Promise<Found> {
  const wanted = part.skip + part.take;
  // Frequent matches fill a page from the first few.
  const sizeOf = (round: number) => (round === 0 ? Math.min(roundSize, 4 * wanted) : roundSize);
  const candidatesAfter = (after: ListPosition | null, take: number): Promise<Found> =>
    terms.keys
      ? jobsOfKeys(tx, filter, terms.keys)
      : findJobs({ ...narrow(filter, terms), after }, { skip: 0, take, factor: 1 });
  const found: string[] = [];
  let bytesLeft = payloadBytes(terms, part.factor);
  let searchedTo = filter.after;
  for (let round = 0; round <= maxRounds * part.factor && bytesLeft > 0; round++) {
    const candidates = await candidatesAfter(searchedTo, sizeOf(round));
    const rows = await matching(tx, filter, { ids: candidates.ids, maxBytes: bytesLeft });
    found.push(...rows.flatMap(({ id, meets }) => (meets ? id : [])));
    if (found.length >= wanted) return { ids: found.slice(part.skip, wanted), searchedTo: null };
    const last = rows.at(-1);
    bytesLeft -= last?.readBytes ?? 0;
    // All jobs of the keys are candidates of the first round.
    const isFull = terms.keys === null && candidates.ids.length === sizeOf(round);
    searchedTo = last && (isFull || bytesLeft <= 0) ? { at: last.created_at, id: last.id } : candidates.searchedTo;
    // A round that is not full has read as many records as one request may.
    if (searchedTo === null || !isFull) break;
  }
  return { ids: found.slice(part.skip), searchedTo };
}

/** The filter with the first of those terms that it can have itself, so that an index answers them. */
const narrow = (filter: JobListFilter, { types, words, tags }: JobTerms): JobListFilter => ({
  ...filter,
  jobType: filter.jobType ?? (types?.length === 1 ? types[0]! : null),
  text: filter.text ?? words[0] ?? null,
  tag: filter.tag ?? tags[0]?.name ?? null,
});

/** In any number: a search has a thousand characters. */
async function jobsOfKeys(tx: TenantTransaction, filter: JobListFilter, keys: string[]): Promise<Found> {
  const { parameters } = searchOf(tx, filter, { skip: 0, take: 0, factor: 1 });
  const rows = await tx.run(findJobsByKeys, { ...parameters, keys });
  return { ids: rows.map(({ id }) => id), searchedTo: null };
}

/**
 * Those of the jobs that meet the conditions, in the order of `ids`. Compares a thousand at a time, until it has at least `wanted`.
 * `isComplete`: all were compared.
 */
export async function matchInOrder(
  tx: TenantTransaction,
  conditions: JobConditions,
  { ids, wanted }: { ids: string[]; wanted: number },
): Promise<{ ids: string[]; isComplete: boolean }> {
  const found: string[] = [];
  let bytesLeft = payloadBytes(conditions.terms, 1);
  for (let at = 0; at < ids.length; at += roundSize) {
    if (found.length >= wanted) return { ids: found, isComplete: false };
    const rows = await matching(tx, conditions, { ids: ids.slice(at, at + roundSize), maxBytes: bytesLeft });
    found.push(...rows.flatMap(({ id, meets }) => (meets ? id : [])));
    bytesLeft -= rows.at(-1)?.readBytes ?? 0;
    if (bytesLeft <= 0) return { ids: found, isComplete: false };
  }
  return { ids: found, isComplete: true };
}

const payloadBytes = (terms: JobTerms | null, factor: number): number =>
  terms && terms.payload.length > 0 ? maxPayloadBytes * factor : Number.MAX_SAFE_INTEGER;

/** The jobs that meet the conditions, and the last one that was compared. */
async function matching(
  tx: TenantTransaction,
  conditions: JobConditions,
  { ids, maxBytes }: { ids: string[]; maxBytes: number },
) {
  if (ids.length === 0) return [];
  const { queues, statuses, tag, jobType, text, createdAfter, createdBefore, terms } = conditions;
  const filters = { queues, statuses, tag, jobType, text, createdAfter, createdBefore, terms: JSON.stringify(terms) };
  return tx.run(matchSearch, { ...filters, ids, maxBytes });
}
