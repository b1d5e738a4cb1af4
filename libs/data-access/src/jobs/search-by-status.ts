import { endParameters, type Found, type Search } from './job-filter.js';
import { mergePlaces, nearest } from './job-places.js';
import {
  countLive,
  findCancelledEnd,
  findDeadLettersEnd,
  listCancelled,
  listDeadLetters,
  listLive,
} from './list-jobs-by-status.queries.js';

/** Live jobs that are sorted at most: 10 ms, with a look at their records 40 ms. */
const maxLive = 10_000;
/** Cancelled jobs that a search reads at most: 15 ms when they lie apart. */
const maxCancelled = 10_000;
/** Dead letters that a search reads at most: 10 ms; those whose records it has to look at: 30 ms. */
const maxDeadLetters = { alone: 20_000, withRecord: 5_000 };
/** Places that are sorted in memory for one page. */
const maxPlaces = 20_000;

/** Whether the filter names only statuses that have tables or indexes of their own. Completed jobs are found among all records. */
export async function isByStatus({ tx, part, parameters, status }: Search): Promise<boolean> {
  if (!status || status.outcomes.includes('completed') || part.skip + part.take > maxPlaces) return false;
  if (status.states.length === 0) return true;
  const { queues } = parameters;
  const live = await tx.one(countLive, { queues, states: status.states, most: maxLive + 1 });
  return live.count <= maxLive;
}

/** Searches the live jobs, the cancelled ones and the dead letters, as the filter asks. */
export async function searchByStatus(search: Search): Promise<Found> {
  const { part, parameters } = search;
  const searchedTo = nearest(await ends(search), parameters.ascending);
  const lists = await jobsTo(search, endParameters(searchedTo));
  const ids = mergePlaces(lists, parameters.ascending).slice(part.skip, part.skip + part.take);
  return { ids, searchedTo: ids.length === part.take ? null : searchedTo };
}

async function ends({ tx, part, parameters, status }: Search) {
  const { queues, tag, jobType, text } = parameters;
  const [wantsCancelled, wantsDead] = wanted(status);
  const page = part.skip + part.take;
  const withRecord = tag !== null || jobType !== null || text !== null;
  const deadRows = (withRecord ? maxDeadLetters.withRecord : maxDeadLetters.alone) * part.factor;
  const ofEachQueue = Math.ceil(deadRows / Math.max(1, queues?.length ?? 1)) + page;
  const [[cancelled], [dead]] = await Promise.all([
    wantsCancelled ? tx.run(findCancelledEnd, { ...parameters, rows: maxCancelled * part.factor + page }) : [],
    wantsDead ? tx.run(findDeadLettersEnd, { ...parameters, rows: ofEachQueue }) : [],
  ]);
  return [cancelled, dead];
}

function jobsTo({ tx, part, parameters, status }: Search, end: ReturnType<typeof endParameters>) {
  const [wantsCancelled, wantsDead] = wanted(status);
  const states = status?.states ?? [];
  // Sorted together only here, so each begins at the first.
  const conditions = { ...parameters, ...end, skip: 0, take: part.skip + part.take };
  return Promise.all([
    wantsCancelled ? tx.run(listCancelled, conditions) : [],
    wantsDead ? tx.run(listDeadLetters, conditions) : [],
    states.length > 0 ? tx.run(listLive, { ...conditions, states }) : [],
  ]);
}

const wanted = (status: Search['status']): [boolean, boolean] => [
  status?.outcomes.includes('cancelled') ?? false,
  status?.outcomes.includes('deadletter') ?? false,
];
