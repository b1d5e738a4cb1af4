/** A job that is leased to this worker. */
export interface LeasedJob<Payload = unknown> {
  id: string;
  queueName: string;
  payload: Payload;
  priority: number;
  /** Number of failed attempts. */
  retryCount: number;
  maxRetries: number;
  timeoutSeconds: number;
  leaseId: string;
  /** RFC 3339. */
  createdAt: string;
  /** The key under which the job was created; null without one. */
  idempotencyKey: string | null;
  /** W3C trace context of the request that created the job; null without one. */
  traceparent: string | null;
}

export interface Registration {
  /** The queue under which the worker is listed. */
  queueName: string;
  hostname: string;
  workerId: string;
  maxConcurrency: number;
  version?: string;
}

/** Durations that the server gives a worker when it registers. */
export interface ServerTimings {
  leaseSeconds: number;
  heartbeatSeconds: number;
}

/** Zero and absent mean that the server does not say. */
export const serverTimings = (
  leaseSeconds: number | undefined,
  heartbeatSeconds: number | undefined,
): ServerTimings => ({
  leaseSeconds: leaseSeconds || 30,
  heartbeatSeconds: heartbeatSeconds || 10,
});

/** How long a claim waits for jobs. */
export interface Wait {
  /** 0: it does not wait. */
  seconds: number;
  /** Ends the wait, and pauses between attempts. */
  signal: AbortSignal;
}

/** How jobs are pushed. */
export interface Push {
  /** How many jobs may be unsettled at once. */
  prefetch: number;
  leaseSeconds: number;
  /** Ends the stream. */
  signal: AbortSignal;
  onJob(job: LeasedJob): void;
}

/** What a renewal says beyond its success. */
export interface Renewal {
  /** The job was asked to end. */
  cancelRequested: boolean;
}

/** What became of a job whose attempt has failed; neither: it is a dead letter. */
export interface Failure {
  willRetry: boolean;
  /** It was asked to end, so its failure has cancelled it. */
  cancelled: boolean;
}

/** A job and the lease under which a worker holds it. */
export type HeldLease = Pick<LeasedJob, 'id' | 'leaseId'>;

/** A step of a job that has finished, or a wait. */
export interface StoredStep {
  step: string;
  kind: 'step' | 'sleep' | 'signal';
  /** Of a wait: its signal was given, or its deadline has passed. */
  isDone: boolean;
  /** Null of a wait that its deadline has ended. */
  finishedAt: string | null;
  /** Of a step, or the payload of a signal. */
  result: unknown;
}

/** Where steps of jobs are kept. */
export interface StepStore {
  list(job: LeasedJob): Promise<StoredStep[]>;
  /** @throws as `WorkSource.renew`; ValidationError for too many steps or too large a result */
  record(job: LeasedJob, step: string, result: unknown): Promise<void>;
  /** @returns whether the wait is over already; otherwise the job has given up its lease. @throws as `record` */
  wait(job: LeasedJob, step: string, waitFor: 'sleep' | 'signal', waitMs: number): Promise<boolean>;
  /**
   * A URL that gives the signal without a key; absent = the connection has no address.
   * @param expiresInSecs absent = as long as a wait can be
   */
  signalUrl?(job: LeasedJob, step: string, expiresInSecs: number | undefined): Promise<string>;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line that a handler has logged. */
export interface LogLine {
  /** Position in the attempt, from 1, counting lines that are not reported. */
  number: number;
  /** Milliseconds since it was written. */
  ageMs: number;
  level: LogLevel;
  /** At most 1,000 characters. */
  message: string;
  /** At most 4 KB of JSON. */
  fields?: unknown;
}

/** Where logs of jobs are kept. */
export interface LogStore {
  /** Lines whose numbers were reported before are ignored. @throws as `WorkSource.renew` */
  append(job: LeasedJob, lines: LogLine[]): Promise<void>;
}

/** The connection of a worker to its queues: over REST or gRPC, or in the process of the application (`spooled-embedded`). */
export interface WorkSource {
  /** The worker's id; set by `open`. */
  readonly workerId: string;
  /** Registers the worker. */
  open(registration: Registration): Promise<ServerTimings>;
  /** Maximum seconds that a claim can wait for jobs; 0 = waiting is not supported. */
  readonly maxWaitSeconds: number;
  /** Maximum jobs of one claim; absent = 100, as the API allows. */
  readonly maxClaim?: number;
  /** Claims up to `limit` jobs; waits until there are any if `wait` says so. @throws the reason of the wait's signal */
  claim(queueName: string, limit: number, leaseSeconds: number, wait?: Wait): Promise<LeasedJob[]>;
  /** Passes on the jobs that the server pushes, until the stream ends. @throws SpooledError when it breaks */
  push?(queueNames: string[], push: Push): Promise<void>;
  /** How many queues `push` serves at most, after `open`. */
  readonly maxPushedQueues?: number;
  /** @throws ConflictError or NotFoundError when the lease is lost */
  renew(job: LeasedJob, leaseSeconds: number): Promise<Renewal>;
  /** Called when a job was asked to end, set by the worker. Best effort: renewals say so as well. Unused where nothing else does. */
  onCancelRequest?: (lease: HeldLease) => void;
  /** @throws as `renew` */
  complete(job: LeasedJob, result: unknown): Promise<void>;
  /** Completes a job in a transaction of the application; absent where jobs are not in its database. @throws as `renew` */
  completeIn?(job: LeasedJob, tx: unknown, result: unknown): Promise<void>;
  /** Whether the transaction of `completeIn` has committed, after the handler has ended. */
  isCommitted?(job: LeasedJob): Promise<boolean>;
  /** @throws as `renew` */
  fail(job: LeasedJob, error: string, retry: boolean): Promise<Failure>;
  /** Reports the progress of a job, from 0 to 100. @throws as `renew` */
  progress(job: LeasedJob, percent: number, message?: string): Promise<void>;
  /** Absent where logs are not kept. */
  readonly logs?: LogStore;
  /** Absent where steps are not supported. */
  readonly steps?: StepStore;
  /** Sends a heartbeat of the worker. */
  heartbeat(currentJobs: number, isDraining: boolean): Promise<void>;
  /** Gives a job back that the worker will not end, without using up an attempt. */
  release(job: LeasedJob): Promise<void>;
  /** Deregisters the worker and closes the connection. */
  close(): Promise<void>;
}
