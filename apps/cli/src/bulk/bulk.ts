import { SpooledError, ValidationError } from '@spooled/sdk';
import type { BulkJob, NumberedJob } from './bulk-job.js';

/** Bounds of one request: the server takes 100 jobs, and bodies of some megabytes. */
const mostJobs = 100;
const mostBytes = 1_000_000;

export interface BulkResult {
  created: number;
  /** Keys that had a job already, for example from an earlier run. */
  existing: number;
  refused: number;
}

export interface BulkOptions {
  /** Counts what is done, also when the run fails. */
  result: BulkResult;
  /** One request: all jobs or none. */
  create: (jobs: BulkJob[]) => Promise<{ succeeded: { created: boolean }[] }>;
  /** Requests at the same time. */
  concurrency: number;
  /** Called after each request. */
  progress: (result: BulkResult) => void;
  /** Called for a job that the server refuses. Without it the first one ends the run. */
  refused?: (line: number, error: SpooledError) => void;
}

/**
 * Creates jobs in requests of up to 100, at most `concurrency` of them at a time. Memory holds only these. It ends when all requests
 * have ended, so that `result` is final, also after an error.
 * @throws SpooledError when the server refuses a job and `refused` is not given, or cannot be reached
 */
export async function createInBulk(jobs: AsyncIterable<NumberedJob>, options: BulkOptions): Promise<void> {
  const { result, concurrency, progress } = options;
  const inFlight = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  try {
    for await (const batch of batchesOf(jobs)) {
      if (failure) break;
      const sent: Promise<void> = sendBatch(batch, options, result)
        .then(() => progress(result))
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
      if (inFlight.size >= concurrency) await Promise.race(inFlight);
    }
  } catch (error) {
    // A line that cannot be read.
    failure ??= { error };
  }
  await Promise.all(inFlight);
  if (failure) throw failure.error;
}

async function* batchesOf(jobs: AsyncIterable<NumberedJob>): AsyncGenerator<NumberedJob[]> {
  let batch: NumberedJob[] = [];
  let bytes = 0;
  for await (const job of jobs) {
    if (batch.length === mostJobs || (batch.length > 0 && bytes + job.bytes > mostBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(job);
    bytes += job.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** A request is all or nothing, so one with a job that is refused is sent again in halves until the job is alone. */
async function sendBatch(batch: NumberedJob[], options: BulkOptions, result: BulkResult): Promise<void> {
  try {
    const { succeeded } = await options.create(batch.map(({ job }) => job));
    for (const { created } of succeeded) result[created ? 'created' : 'existing']++;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    if (batch.length === 1) return reportRefused(batch[0]!.line, error, options, result);
    const middle = batch.length >> 1;
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) await sendBatch(half, options, result);
  }
}

function reportRefused(line: number, error: ValidationError, { refused }: BulkOptions, result: BulkResult): void {
  if (!refused) {
    const { status, code, details } = error;
    throw new SpooledError(`Line ${line} was refused: ${error.message}`, status, code, details, error.requestId);
  }
  result.refused++;
  refused(line, error);
}
