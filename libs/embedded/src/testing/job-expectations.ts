import type { Job } from '@spooled/sdk';
import { requireKnown } from '@spooled/sdk/internal';
import { difference, shown, type Subset } from './subset.js';

/** How often: exactly this many jobs; 0 = none. @default at least one */
interface Times {
  times?: number;
}

/** What is expected of jobs that were enqueued, whatever became of them. */
export interface EnqueuedExpectation<Payload> extends Times {
  /** Members that it must have; others do not matter. */
  payload?: Subset<Payload>;
  /** The idempotency key. */
  key?: string;
  priority?: number;
  /** Members that they must have. */
  tags?: unknown;
}

/** What is expected of completed jobs. */
export interface CompletedExpectation<Payload, Result> extends Times {
  payload?: Subset<Payload>;
  /** Members that it must have; others do not matter. */
  result?: Subset<Result>;
}

/** What is expected of jobs that failed for good. */
export interface FailedExpectation<Payload> extends Times {
  payload?: Subset<Payload>;
  /** Part of the text of the last error, or a pattern. */
  error?: string | RegExp;
}

/** A job of a test, as it is now. */
export interface TestJob<Payload, Result> {
  id: string;
  status: Job['status'];
  payload: Payload;
  /** Of a completed job. */
  result: Result;
  /** The text of the last error. */
  lastError: string | null;
  /** Attempts that failed. */
  failures: number;
  /** The idempotency key. */
  key: string | null;
  priority: number;
  tags: unknown;
}

type AnyTestJob = TestJob<unknown, unknown>;
/** What jobs are expected to be. */
export type Expected = 'enqueued' | 'completed' | 'failed';
type Expectation = EnqueuedExpectation<unknown> & CompletedExpectation<unknown, unknown> & FailedExpectation<unknown>;

/** Whether an expectation is met, by which jobs, and what to say about it. */
export interface Assessment {
  isMet: boolean;
  matching: AnyTestJob[];
  /** @param negated for `expect(job).not` */
  message(negated?: boolean): string;
}

const optionNames: Record<Expected, object> = {
  enqueued: { payload: true, key: true, priority: true, tags: true, times: true },
  completed: { payload: true, result: true, times: true },
  failed: { payload: true, error: true, times: true },
};
const maxShown = 10;

/** @throws TypeError naming a member of the expectation that does not exist or is wrong */
export function assess(
  name: string,
  jobs: AnyTestJob[],
  expected: Expected,
  expectation: Record<string, unknown>,
): Assessment {
  requireKnown(expectation, optionNames[expected]);
  const { times, ...wanted } = expectation as Expectation;
  if (times !== undefined && (!Number.isInteger(times) || times < 0)) {
    throw new TypeError('times: must be an integer from 0 on');
  }
  const differences = jobs.map((job) => problemOf(job, expected, wanted));
  const matching = jobs.filter((_, i) => differences[i] === null);
  return {
    isMet: times === undefined ? matching.length > 0 : matching.length === times,
    matching,
    message: (negated = false) => {
      const what = `Expected job ${JSON.stringify(name)} ${negated ? 'not ' : ''}to have ${phrase(expected)}`;
      const how = Object.entries(wanted).filter(([, value]) => value !== undefined);
      const conditions = how.map(
        ([member, value]) => `\n  ${member} ${value instanceof RegExp ? value : shown(value)}`,
      );
      const count = times === undefined ? '' : ` ${timesText(times)}`;
      const met = matching.length === 0 ? 'none has' : `${matching.length} of ${jobs.length} have`;
      const found =
        jobs.length === 0 ? '\nNo job of this name was enqueued.' : `\nOf its jobs ${met}:${listed(jobs, differences)}`;
      return `${what}${count}${conditions.join('')}${found}`;
    },
  };
}

const phrase = (expected: Expected): string => (expected === 'enqueued' ? 'been enqueued' : expected);
const timesText = (times: number): string => (times === 1 ? 'once' : `${times} times`);

function listed(jobs: AnyTestJob[], differences: (string | null)[]): string {
  const lines = jobs
    .slice(0, maxShown)
    .map((job, i) => `\n  ${lineOf(job)}${differences[i] ? `: ${differences[i]}` : ''}`);
  return `${lines.join('')}${jobs.length > maxShown ? `\n  and ${jobs.length - maxShown} more` : ''}`;
}

function lineOf({ id, status, payload, failures, lastError }: AnyTestJob): string {
  const failed = failures === 0 ? '' : ` after ${failures} failed ${failures === 1 ? 'attempt' : 'attempts'}`;
  return `${id} ${status}${failed}${lastError === null ? '' : ` (${lastError})`}, payload ${shown(payload)}`;
}

/** Why a job does not count, null if it does. */
function problemOf(job: AnyTestJob, expected: Expected, wanted: Expectation): string | null {
  if (expected === 'completed' && job.status !== 'completed') return 'not completed';
  if (expected === 'failed' && !isFailed(job.status)) return 'not failed for good';
  const { payload, result, tags, key, priority, error } = wanted;
  return (
    documentProblem(payload, job.payload, 'payload') ??
    documentProblem(result, job.result, 'result') ??
    documentProblem(tags, job.tags, 'tags') ??
    documentProblem(key, job.key, 'key') ??
    documentProblem(priority, job.priority, 'priority') ??
    errorProblem(error, job.lastError)
  );
}

const isFailed = (status: Job['status']): boolean => status === 'failed' || status === 'deadletter';

const documentProblem = (expected: unknown, actual: unknown, path: string): string | null =>
  expected === undefined ? null : difference(expected, actual, path);

function errorProblem(expected: string | RegExp | undefined, actual: string | null): string | null {
  if (expected === undefined) return null;
  const text = actual ?? '';
  const isExpected = typeof expected === 'string' ? text.includes(expected) : text.search(expected) >= 0;
  return isExpected ? null : 'another error';
}
