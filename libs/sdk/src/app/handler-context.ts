import type { JobContext } from '../worker/handlers.js';
import type { LeasedJob } from '../worker/work-source.js';
import type { Logger } from './logger.js';

/** What a handler gets beside its payload. */
export interface HandlerContext extends JobContext {
  /** 1 at first; each failed attempt adds one. */
  attempt: number;
  /** Logs with the job's id and name. */
  log: Logger;
  job: LeasedJob;
}
