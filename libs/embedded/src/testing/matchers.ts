import type { App, JobDefinition } from '@spooled/sdk';
import { currentApp } from '@spooled/sdk/internal';
import type { CompletedExpectation, EnqueuedExpectation, Expected, FailedExpectation } from './job-expectations.js';
import { type AnyJob, testOf } from './test-spooled.js';

// What its handler takes and returns does not matter here.
/* oxlint-disable typescript/no-explicit-any */
type PayloadOf<T> = T extends JobDefinition<infer Payload, any, any, any> ? Payload : never;
type ResultOf<T> = T extends JobDefinition<any, any, any, infer Result> ? Result : never;
/* oxlint-enable typescript/no-explicit-any */

/** The test, if the process has several at the same time. */
interface OfApp {
  app?: App;
}

/** Matchers for definitions of jobs. Await them: `await expect(greet).toHaveCompleted({ payload: { name: 'Ada' } })`. */
export interface JobMatchers<T> {
  /** As `TestSpooled.assertEnqueued`. */
  toHaveBeenEnqueued(expected?: EnqueuedExpectation<PayloadOf<T>> & OfApp): Promise<void>;
  /** As `TestSpooled.assertCompleted`. */
  toHaveCompleted(expected?: CompletedExpectation<PayloadOf<T>, ResultOf<T>> & OfApp): Promise<void>;
  /** As `TestSpooled.assertFailed`. */
  toHaveFailed(expected?: FailedExpectation<PayloadOf<T>> & OfApp): Promise<void>;
}

interface MatcherState {
  isNot?: boolean;
}
interface MatcherResult {
  pass: boolean;
  message: () => string;
}
type Matcher = (this: MatcherState, job: unknown, expected?: object & OfApp) => Promise<MatcherResult>;

/** For `expect.extend`. The entries for Jest and Vitest do that, with types. */
export const matchers = {
  toHaveBeenEnqueued: matcherOf('enqueued'),
  toHaveCompleted: matcherOf('completed'),
  toHaveFailed: matcherOf('failed'),
};

function matcherOf(expected: Expected): Matcher {
  return async function (job, { app = currentApp(), ...expectation } = {}) {
    if (!isJob(job)) throw new TypeError('expect(job): must be a job that defineJob has made');
    const { isMet, message } = await testOf(app).assess(job, expected, { ...expectation });
    return { pass: isMet, message: () => message(this.isNot) };
  };
}

const isJob = (value: unknown): value is AnyJob<unknown, unknown> =>
  typeof value === 'object' && value !== null && 'declaration' in value;
