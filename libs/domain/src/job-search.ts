import { type JobStatus, jobStatuses } from './job.js';

/** A bound of the creation time: a time in RFC 3339, or an age in milliseconds. */
export type SearchedTime = { time: string } | { ageMs: number };

/** What a search of jobs asks for. All conditions must hold; null = any. */
export interface JobSearch {
  /** Any of these names; the same for types, statuses, workers and keys. */
  queues: string[] | null;
  types: string[] | null;
  statuses: JobStatus[] | null;
  workers: string[] | null;
  keys: string[] | null;
  /** Start of the id, or part of the queue name or type, in any case. */
  words: string[];
  /** With a value: the member of the tags has it. Without one: the tags hold the key or element. */
  tags: { name: string; value: string | null }[];
  /** The value at a path of the payload, as text. */
  payload: { path: string[]; value: string }[];
  /** Parts of the last error, in any case. */
  errors: string[];
  createdAfter: SearchedTime[];
  createdBefore: SearchedTime[];
}

export const longestSearch = 1_000;
const maxTerms = 20;
const maxPathLength = 16;

/** The qualifiers of the search line, with an example of each. Pages show them as suggestions. */
export const searchQualifiers = {
  'queue:': 'queue:mails,reports',
  'type:': 'type:invoice',
  'status:': 'status:deadletter',
  'tag:': 'tag:customer=4711',
  'payload.': 'payload.order.id=4711',
  'error~': 'error~"connection refused"',
  'worker:': 'worker:mailer-1',
  'key:': 'key:order-4711',
  'created:': 'created:<1h',
} as const;

/** Why a search cannot be read; the text is for its author. */
export class SearchSyntaxError extends Error {}

interface Term {
  /** Without quotes and escapes. */
  text: string;
  /** As `text`, with U+FFFF in place of each quoted character, so that operators are found outside of quotes only. */
  bare: string;
}

type Lists = 'queues' | 'types' | 'statuses' | 'workers' | 'keys';
const listQualifiers: Record<string, Lists> = {
  'queue:': 'queues',
  'type:': 'types',
  'status:': 'statuses',
  'worker:': 'workers',
  'key:': 'keys',
};

/**
 * Reads the search line, such as `queue:mails payload.order=4711 error~"timed out" created:<1h`. Terms are separated by spaces; all must
 * hold. Values of lists are joined by commas. Quotes keep spaces and operators in a value; `\"` and `\\` stand for themselves there.
 * @throws SearchSyntaxError naming the term
 */
export function parseJobSearch(line: string): JobSearch {
  if (line.length > longestSearch) throw new SearchSyntaxError(`must have at most ${longestSearch} characters`);
  if (/[\0\p{Surrogate}]/u.test(line)) throw new SearchSyntaxError('must not contain U+0000 or half a surrogate pair');
  const terms = splitTerms(line);
  if (terms.length > maxTerms) throw new SearchSyntaxError(`must have at most ${maxTerms} terms`);
  const search: JobSearch = {
    queues: null,
    types: null,
    statuses: null,
    workers: null,
    keys: null,
    words: [],
    tags: [],
    payload: [],
    errors: [],
    createdAfter: [],
    createdBefore: [],
  };
  for (const term of terms) addTerm(search, term);
  return search;
}

function splitTerms(line: string): Term[] {
  const terms: Term[] = [];
  let term: Term | null = null;
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    let character = line[i]!;
    if (character === '"') {
      isQuoted = !isQuoted;
      term ??= { text: '', bare: '' };
    } else if (!isQuoted && /\s/.test(character)) {
      if (term) terms.push(term);
      term = null;
    } else {
      if (isQuoted && character === '\\' && /["\\]/.test(line[i + 1] ?? '')) character = line[++i]!;
      term ??= { text: '', bare: '' };
      term.text += character;
      term.bare += isQuoted ? '\uffff' : character;
    }
  }
  if (isQuoted) throw new SearchSyntaxError('has a quote that is not closed');
  return term ? [...terms, term] : terms;
}

function addTerm(search: JobSearch, term: Term): void {
  const [qualifier] = /^(?:payload\.|[\p{L}_-][\p{L}\p{N}_-]*[:~=<>])/u.exec(term.bare) ?? [];
  if (qualifier === undefined) return addWord(search, term);
  const list = listQualifiers[qualifier];
  const rest = { text: term.text.slice(qualifier.length), bare: term.bare.slice(qualifier.length) };
  if (list) return addValues(search, { name: qualifier, list }, rest);
  if (qualifier === 'tag:') search.tags.push(tagOf(rest));
  else if (qualifier === 'payload.') search.payload.push(memberOf(rest));
  else if (qualifier === 'error~') search.errors.push(notBlank(qualifier, valueOf(qualifier, rest.text)));
  else if (qualifier === 'created:') addTime(search, rest.text);
  else {
    const known = Object.keys(searchQualifiers).join(', ');
    throw new SearchSyntaxError(
      `"${qualifier}" is not one of ${known}; put a text that contains it in quotes to search for it`,
    );
  }
}

function addWord(search: JobSearch, { text, bare }: Term): void {
  if (/^[-!]|^NOT$/.test(bare)) throw new SearchSyntaxError(`"${text}": terms cannot be negated; put a text in quotes`);
  if (/^(OR|AND)$/.test(bare))
    throw new SearchSyntaxError(
      `"${text}": all terms must hold; join values of a list by commas, or put a text in quotes`,
    );
  search.words.push(notBlank(text, text));
}

function addValues(search: JobSearch, { name, list }: { name: string; list: Lists }, { text, bare }: Term): void {
  if (search[list]) throw new SearchSyntaxError(`"${name}" occurs twice; join its values by commas`);
  const values = splitAt(text, bare, ',').map((value) => valueOf(name, value));
  if (list !== 'statuses') {
    search[list] = values;
    return;
  }
  search.statuses = values.map((value) => {
    const status = jobStatuses.find((one) => one === value);
    if (!status) throw new SearchSyntaxError(`"status:${value}": is not one of ${jobStatuses.join(', ')}`);
    return status;
  });
}

/** The parts of a text between separators that are not quoted. */
function splitAt(text: string, bare: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = bare.indexOf(separator); at >= 0; at = bare.indexOf(separator, start)) {
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

function tagOf({ text, bare }: Term): { name: string; value: string | null } {
  const at = bare.indexOf('=');
  const name = valueOf('tag:', at < 0 ? text : text.slice(0, at));
  return { name, value: at < 0 ? null : text.slice(at + 1) };
}

function memberOf({ text, bare }: Term): { path: string[]; value: string } {
  const at = bare.indexOf('=');
  if (at < 0) throw new SearchSyntaxError(`"payload.${text}" needs a value, as in ${searchQualifiers['payload.']}`);
  const path = splitAt(text.slice(0, at), bare.slice(0, at), '.').map((step) => valueOf('payload.', step));
  if (path.length > maxPathLength) throw new SearchSyntaxError(`"payload." must have at most ${maxPathLength} members`);
  return { path, value: text.slice(at + 1) };
}

function valueOf(qualifier: keyof typeof searchQualifiers | (string & {}), text: string): string {
  if (text === '') throw new SearchSyntaxError(`"${qualifier}" needs a value`);
  return text;
}

/** Nearly every text has a space, so an act on what matches would take everything. */
function notBlank(term: string, text: string): string {
  if (text.trim() === '') throw new SearchSyntaxError(`${JSON.stringify(term)} must not be blank`);
  return text;
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const maxAgeMs = 36_500 * unitMs.d!;

function addTime(search: JobSearch, text: string): void {
  const [, direction, value = ''] = /^([<>])(.+)$/.exec(text) ?? [];
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(value) ?? [];
  const ageMs = count === undefined ? null : Number(count) * unitMs[unit]!;
  const time = ageMs === null ? timeOf(value) : null;
  if (direction === undefined || (time === null && (ageMs === null || ageMs > maxAgeMs))) {
    throw new SearchSyntaxError(
      `"created:${text}" must be < or > and an age such as 30m, 12h or 7d, or a time such as 2026-11-24 or 2026-11-24T09:30:00Z`,
    );
  }
  // An age above one hour is a time before it.
  const isAfter = (direction === '>') === (ageMs === null);
  search[isAfter ? 'createdAfter' : 'createdBefore'].push(ageMs === null ? { time: time! } : { ageMs });
}

/** A day begins at midnight in UTC. @returns RFC 3339 in UTC; null for what is no time */
function timeOf(text: string): string | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // Otherwise 30 February would be read as 2 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null;
  const date = time === undefined ? midnight : new Date(text);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 ? null : date.toISOString();
}

/**
 * The creation times that a search and the bounds beside it allow, in RFC 3339; null = open.
 * @param now what ages count from; only needed when the search has one
 */
export function searchedPeriod(
  search: JobSearch | undefined,
  now: string | null,
  beside: { after?: string | null | undefined; before?: string | null | undefined },
): { after: string | null; before: string | null } {
  const nowMs = now === null ? 0 : Date.parse(now);
  const timesOf = (bounds: SearchedTime[], bound: string | null | undefined): string[] => [
    ...bounds.map((one) => ('time' in one ? one.time : new Date(nowMs - one.ageMs).toISOString())),
    ...(bound ? [bound] : []),
  ];
  const inOrder = (times: string[]) => times.toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return {
    after: inOrder(timesOf(search?.createdAfter ?? [], beside.after)).at(-1) ?? null,
    before: inOrder(timesOf(search?.createdBefore ?? [], beside.before)).at(0) ?? null,
  };
}

/** The members of an operation's filter that a search may narrow. */
interface SearchedFilter {
  search?: string | null | undefined;
  created_after?: string | null | undefined;
  created_before?: string | null | undefined;
}

/**
 * A filter whose search line is replaced by what it says, as `matching_live_jobs_v1` and `matching_dead_letters_v1` read it.
 * @param now what ages count from
 * @throws SearchSyntaxError
 */
export function filterWithTerms<F extends SearchedFilter>(
  filter: F,
  now: string,
): Omit<F, keyof SearchedFilter> & {
  created_after: string | null;
  created_before: string | null;
  terms: JobSearch | null;
} {
  const { search: line, created_after: createdAfter, created_before: createdBefore, ...others } = filter;
  const search = line ? parseJobSearch(line) : undefined;
  const period = searchedPeriod(search, now, { after: createdAfter, before: createdBefore });
  return { ...others, created_after: period.after, created_before: period.before, terms: search ?? null };
}
