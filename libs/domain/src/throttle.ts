import type { Members } from './exact-json.js';
import { memberText } from './jsonb-text.js';

/** Which new jobs a throttle counts; a null member counts any. At least one is set. */
export interface ThrottleTarget {
  /** The key that creates them, also in sessions of its own. */
  apiKeyId: string | null;
  queueName: string | null;
  /** A top-level key of the tags, an element of an array, or the whole of a text. */
  tagName: string | null;
  /** The value of that key as text. */
  tagValue: string | null;
}

/** What a throttle looks at in a new job. */
export interface ThrottledJob {
  queueName: string;
  /** As `readExact` reads them. */
  tags: () => unknown;
}

/** The largest request for new jobs: a throttle must be able to admit it. */
const largestRequest = 100;

/** Jobs that a throttle admits at once after a pause: those of one second, and those of one request. */
export const throttleBurst = (perSecond: number): number => Math.max(Math.ceil(perSecond), largestRequest);

/** Whether a throttle counts a new job of its key. Tags as `tag:k=v` of a search, and as count_created_by_second.sql compares them. */
export const isThrottled = ({ queueName, tagName, tagValue }: ThrottleTarget, job: ThrottledJob): boolean =>
  (queueName === null || queueName === job.queueName) && (tagName === null || hasTag(job.tags(), tagName, tagValue));

function hasTag(tags: unknown, name: string, value: string | null): boolean {
  if (Array.isArray(tags)) return value === null && tags.includes(name);
  if (!(tags instanceof Map)) return value === null && tags === name;
  const members = tags as Members;
  return members.has(name) && (value === null || memberText(members.get(name)) === value);
}

/**
 * Of jobs that were created one by one, how many a throttle of this rate would have admitted.
 * @param counts jobs by second of the period; seconds without jobs are left out
 */
export function admittedJobs(counts: { second: number; jobs: number }[], perSecond: number): number {
  const burst = throttleBurst(perSecond);
  let tokens = burst;
  let last = 0;
  let admitted = 0;
  for (const { second, jobs } of counts.toSorted((one, other) => one.second - other.second)) {
    tokens = Math.min(burst, tokens + (second - last) * perSecond);
    last = second;
    const taken = Math.min(jobs, Math.floor(tokens));
    tokens -= taken;
    admitted += taken;
  }
  return admitted;
}
