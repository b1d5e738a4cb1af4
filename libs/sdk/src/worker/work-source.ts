/** A job that is leased to this worker. */
export interface LeasedJob<Payload = unknown> {
  id: string;
  queueName: string;
  payload: Payload;
  /** Number of failed attempts. */
  retryCount: number;
  maxRetries: number;
  timeoutSeconds: number;
  leaseId: string;
}

export interface Registration {
  /** The queue under which the worker is listed. */
  queueName: string;
  hostname: string;
  workerId: string;
  maxConcurrency: number;
  version?: string;
}

/** How long a claim waits for jobs. */
export interface Wait {
  seconds: number;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** The connection of a worker to the server, over REST or gRPC. */
export interface WorkSource {
  /** The worker's id; set by `open`. */
  readonly workerId: string;
  /** Whether a failure can make a job a dead letter before its attempts are used. */
  readonly supportsPermanentFailure: boolean;
  open(registration: Registration): Promise<void>;
  /** Maximum seconds that a claim can wait for jobs; 0 = waiting is not supported. */
  readonly maxWaitSeconds: number;
  /** Claims up to `limit` jobs; waits until there are any if `wait` is given. @throws the reason of the wait's signal */
  claim(queueName: string, limit: number, leaseSeconds: number, wait?: Wait): Promise<LeasedJob[]>;
  /** @throws ConflictError or NotFoundError when the lease is lost */
  renew(job: LeasedJob, leaseSeconds: number): Promise<void>;
  /** @throws as `renew` */
  complete(job: LeasedJob, result: unknown): Promise<void>;
  /** @returns whether the job will be retried. @throws as `renew` */
  fail(job: LeasedJob, error: string, retry: boolean): Promise<boolean>;
  /** Sends a heartbeat of the worker. */
  heartbeat(currentJobs: number, isDraining: boolean): Promise<void>;
  /** Deregisters the worker, which releases its jobs without using up an attempt, and closes the connection. */
  close(): Promise<void>;
}
