import type { NewJob } from '../resources/jobs.js';
import { type Duration, milliseconds, seconds } from './duration.js';
import { requireKnown, requireWhole } from './known-options.js';
import type { Schema } from './schema.js';

export interface BackoffOptions {
  strategy?: 'exponential' | 'linear' | 'fixed';
  /** Before the first retry. */
  delay?: Duration;
  maxDelay?: Duration;
  /** From 1 to 100, for `exponential`. */
  multiplier?: number;
  /** Random time that is added, at most. */
  jitter?: Duration;
}

export interface JobOptions<PayloadSchema, ResultSchema> {
  /** Checks payloads before they are sent and before they are handled. It must accept them as JSON: dates arrive as text. */
  payload?: PayloadSchema;
  /** Checks results before they are stored, and types them for those who wait. */
  result?: ResultSchema;
  /** Attempts after the first one. @default what the queue says, 3 without */
  retries?: number;
  /** Longest time of an attempt, whole seconds. @default what the queue says, 5 minutes without */
  timeout?: Duration;
  backoff?: BackoffOptions;
  /** A queue that several jobs share; payloads must be objects then, and are sent with the job's name as `job_type`. @default a queue with the name of the job */
  queue?: string;
  /** Runs of its queue at the same time in one process, apart from those of other jobs. @default the concurrency of `App.work`, shared */
  concurrency?: number;
}

/** The options of a job as the API takes them. */
export interface JobSettings {
  queue: string;
  payload?: Schema;
  result?: Schema;
  concurrency?: number;
  /** Members of each new job. */
  members: Pick<NewJob, 'maxRetries' | 'timeoutSeconds' | 'backoff'>;
}

const optionNames: Record<keyof JobOptions<unknown, unknown>, true> = {
  ...{ payload: true, result: true, retries: true, timeout: true, backoff: true, queue: true, concurrency: true },
};
const backoffNames: Record<keyof BackoffOptions, true> = {
  ...{ strategy: true, delay: true, maxDelay: true, multiplier: true, jitter: true },
};

/** @throws TypeError naming the option that is wrong */
export function settingsOf(name: string, options: JobOptions<Schema, Schema>): JobSettings {
  requireKnown(options, optionNames);
  const { payload, result, retries, timeout, backoff, queue = name, concurrency } = options;
  if (retries !== undefined) requireWhole(retries, 'retries', 0);
  if (concurrency !== undefined) requireWhole(concurrency, 'concurrency', 1);
  if (typeof queue !== 'string' || queue === '') throw new TypeError('queue: must be a text');
  const members = {
    ...(retries === undefined ? {} : { maxRetries: retries }),
    ...(timeout === undefined ? {} : { timeoutSeconds: seconds(timeout, 'timeout') }),
    ...(backoff === undefined ? {} : { backoff: backoffOf(backoff) }),
  };
  return { queue, payload, result, concurrency, members };
}

function backoffOf(backoff: BackoffOptions): NewJob['backoff'] {
  requireKnown(backoff, backoffNames, 'backoff.');
  const { strategy, multiplier, delay, maxDelay, jitter } = backoff;
  const ms = (duration: Duration | undefined, field: string) =>
    duration === undefined ? undefined : milliseconds(duration, `backoff.${field}`);
  return {
    ...{ strategy, multiplier },
    ...{ delayMs: ms(delay, 'delay'), maxDelayMs: ms(maxDelay, 'maxDelay'), jitterMs: ms(jitter, 'jitter') },
  };
}
