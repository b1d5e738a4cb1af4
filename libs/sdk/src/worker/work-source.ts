/** A job that this worker holds. */
export interface LeasedJob<Payload = unknown> {
  id: string;
  queueName: string;
  payload: Payload;
  /** Attempts that failed before this one. */
  retryCount: number;
  maxRetries: number;
  timeoutSeconds: number;
  leaseId: string;
}

export interface Registration {
  /** The queue that the worker is listed under. */
  queueName: string;
  hostname: string;
  workerId: string;
  maxConcurrency: number;
  version?: string;
}

/** The wish that a claim waits for work. */
export interface Wait {
  seconds: number;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** Where a worker's jobs come from and where their outcomes go: one of the doors. */
export interface WorkSource {
  /** The id under which the worker claims; final after `open`. */
  readonly workerId: string;
  /** Whether a failure can end a job at once, whatever is left of its attempts. */
  readonly failsForGood: boolean;
  open(registration: Registration): Promise<void>;
  /** How long a claim may wait for work, in seconds; 0 = claims answer at once, whatever they ask for. */
  readonly maxWaitSeconds: number;
  /** Up to `limit` jobs, each under a lease; at once, or as soon as there are any within the wait. @throws its signal's reason */
  claim(queueName: string, limit: number, leaseSeconds: number, wait?: Wait): Promise<LeasedJob[]>;
  /** @throws ConflictError or NotFoundError when the lease is lost */
  renew(job: LeasedJob, leaseSeconds: number): Promise<void>;
  /** @throws as `renew` */
  complete(job: LeasedJob, result: unknown): Promise<void>;
  /** @returns whether the job will be tried again. @throws as `renew` */
  fail(job: LeasedJob, error: string, retry: boolean): Promise<boolean>;
  /** Tells that the worker lives. */
  beat(currentJobs: number, isDraining: boolean): Promise<void>;
  /** Gives back what the worker still holds, at no cost, and ends the connection. */
  close(): Promise<void>;
}
