import type { EndedJob } from './connection.js';

/** A job that `enqueueAndWait` waited for ended without a result. */
export class JobFailedError extends Error {
  override name = 'JobFailedError';

  constructor(readonly job: EndedJob) {
    super(`Job ${job.id} ended as ${job.status}${job.lastError === null ? '' : `: ${job.lastError}`}`);
  }
}

/** A job that `enqueueAndWait` waited for did not end in time. It goes on. Its cause says why the server could not be asked. */
export class JobTimeoutError extends Error {
  override name = 'JobTimeoutError';

  constructor(
    readonly jobId: string,
    timeoutMs: number,
    cause?: unknown,
  ) {
    super(`Job ${jobId} did not end within ${timeoutMs} ms`, cause === undefined ? undefined : { cause });
  }
}
