import type { ListPosition } from '../database/list-position.js';
import { endParameters, type Found, type Search } from './job-filter.js';
import { idsFrom, mergePlaces } from './job-places.js';
import {
  findTypesEnd,
  listJobsById,
  listJobsOfTypes,
  listQueuesOfJobs,
  listTypes,
} from './list-jobs-of-types.queries.js';
import { findRecordsEnd, listRecords } from './list-records.queries.js';

/** The records that are tried first. A filter that matches one job in 40 fills its page from them. */
const firstRecords = 2_000;
/** Neighbouring records that a search reads at most: 20 ms of one core, with a text or live states in the filter 25–45 ms. */
const maxRecords = { alone: 40_000, compared: 20_000 };
/** Records of queues and job types that a search by tag or status reads at most: 20–40 ms, because they lie apart. */
const maxRecordsOfTypes = 5_000;
/** Pairs of queue and job type that a search reads at most; each takes a look at every partition, 3 µs each. */
const maxTypes = 200;
/** With a tag or status more types than this are no better than the next records: 180 took 70 ms, of which half were spent on looks. */
const maxFilteredTypes = 60;
/** Places that are read of all types together for one page. */
const maxPlaces = 20_000;

interface Types {
  queues: string[];
  names: string[];
  /** Ids that match the text of the filter. */
  ids: { firstId: string; lastId: string } | 'none';
}

/** Searches the records, whatever their status is: those of matching queues and job types if these are few, otherwise the next ones. */
export async function searchRecords(search: Search): Promise<Found> {
  const { part, parameters } = search;
  if (parameters.queues === null && parameters.jobType === null && parameters.text === null) {
    return searchNext(search, recordsOf(search) * part.factor);
  }
  const found = await searchNext(search, firstRecords);
  if (found.ids.length === part.take || found.searchedTo === null) return found;
  const types = await typesOf(search);
  const fewRows = !isFiltered(search) || (types?.queues.length ?? 0) <= maxFilteredTypes;
  return types && fewRows ? searchTypes(search, types) : searchNext(search, recordsOf(search) * part.factor);
}

const recordsOf = ({ parameters: { text }, status }: Search): number =>
  text !== null || status?.states.length ? maxRecords.compared : maxRecords.alone;

/** Whether jobs of a matching type may be left out. */
const isFiltered = ({ parameters: { tag }, status }: Search): boolean => tag !== null || status !== null;

async function searchNext({ tx, part, parameters, status }: Search, most: number): Promise<Found> {
  const rows = most + part.skip + part.take;
  const { outcomes = null, states: liveStates = null } = status ?? {};
  const places = await tx.run(listRecords, { ...parameters, outcomes, liveStates, rows });
  const ids = places.map(({ id }) => id);
  if (ids.length === part.take) return { ids, searchedTo: null };
  const end = await tx.first(findRecordsEnd, { ...parameters, rows });
  return { ids, searchedTo: end ?? null };
}

/** The queues and job types that the filter names or its text matches. Null when there are too many to look at each. */
async function typesOf({ tx, part, parameters }: Search): Promise<Types | null> {
  const { queues, jobType, text } = parameters;
  const ids = text === null ? 'none' : idsFrom(text);
  if (ids === null) return null;
  const mostMatching = Math.min(maxTypes, Math.floor(maxPlaces / (part.skip + part.take)));
  if (jobType !== null && text === null) {
    const most = mostMatching + 1;
    const named = await tx.run(listQueuesOfJobs, { queues, most });
    return named.length === most
      ? null
      : { queues: named.map(({ queue }) => queue), names: named.map(() => jobType), ids };
  }
  // Places are read of those that match; each of the others costs a look.
  const most = maxTypes + 1;
  const all = await tx.run(listTypes, { queues, jobType, text, most });
  const matching = all.filter(({ matches }) => matches);
  return all.length === most || matching.length > mostMatching
    ? null
    : { queues: matching.map(({ queue }) => queue), names: matching.map(({ type }) => type), ids };
}

async function searchTypes(search: Search, { queues: typeQueues, names: typeNames, ids }: Types): Promise<Found> {
  const { tx, part, parameters, status } = search;
  const end = typeQueues.length > 0 ? await endOfTypes(search, typeQueues, typeNames) : null;
  const { outcomes = null, states: liveStates = null } = status ?? {};
  // Sorted with those of the ids only here, so both begin at the first.
  const both = ids !== 'none';
  const from = both ? { skip: 0, take: part.skip + part.take } : {};
  const conditions = { ...parameters, outcomes, liveStates, ...endParameters(end), ...from };
  const [byType, byId] = await Promise.all([
    tx.run(listJobsOfTypes, { ...conditions, typeQueues, typeNames }),
    both ? tx.run(listJobsById, { ...conditions, ...ids }) : [],
  ]);
  const merged = mergePlaces([byType, byId], parameters.ascending);
  const page = both ? merged.slice(part.skip, part.skip + part.take) : merged;
  return { ids: page, searchedTo: page.length === part.take ? null : end };
}

async function endOfTypes(search: Search, typeQueues: string[], typeNames: string[]): Promise<ListPosition | null> {
  // Without another filter every job matches: a page may come from one type alone.
  const { tx, part, parameters } = search;
  const page = isFiltered(search) ? 0 : part.skip + part.take;
  const rows = Math.ceil((maxRecordsOfTypes * part.factor) / typeQueues.length) + page;
  return (await tx.first(findTypesEnd, { ...parameters, typeQueues, typeNames, rows })) ?? null;
}
