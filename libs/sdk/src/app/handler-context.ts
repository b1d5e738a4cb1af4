import type { JobContext } from '../worker/handlers.js';
import type { LeasedJob } from '../worker/work-source.js';

/** What a handler gets beside its payload. */
export interface HandlerContext extends JobContext {
  /** 1 at first; each failed attempt adds one. */
  attempt: number;
  /** Its lines also go to the logger of the app, with the job's id and name. */
  log: JobContext['log'];
  job: LeasedJob;
}
