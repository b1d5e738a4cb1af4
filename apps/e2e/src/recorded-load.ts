import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Action, type Ending, History, SeededRandom } from '@spooled/testing';

/** One tenant, and what chooses a gateway for each request of its callers. */
export interface LoadTarget {
  nextGateway: () => string;
  apiKey: string;
  organizationId: string;
}

export interface LoadOptions {
  producers?: number;
  workers?: number;
  /** Pause of a producer after each job, in milliseconds. */
  pauseMs?: number;
  /** Repeats the choices of the callers. */
  seed?: number;
}

interface Response {
  status: number;
  body: Record<string, unknown>;
}

interface Lease {
  job: string;
  lease: string;
  worker: string;
}

type Of<V extends Action['verb']> = Extract<Action, { verb: V }>;

/** Shorter than an outage that a failover causes, so that jobs are claimed again while it lasts. */
const leaseSeconds = 10;
const requestTimeoutMs = 15_000;
const retryPauseMs = 50;
const endedStatuses = new Set(['completed', 'deadletter', 'cancelled']);

/**
 * Producers and workers of one tenant that continue while parts of the system fail. Each call is recorded for `checkHistory`. A call is
 * repeated until it is answered, except a claim, which would take other jobs.
 */
export class RecordedLoad {
  /** This machine's clock is also that of the database. */
  readonly history = new History(0);
  /** Answers that were no success, such as `503 SERVICE_UNAVAILABLE` or `no answer`, with how many. */
  readonly errors = new Map<string, number>();
  /** When a change was acknowledged, by `performance.now()`. */
  readonly acknowledged: number[] = [];
  /** Of requests that succeeded, in milliseconds. */
  readonly durations: number[] = [];
  private readonly queue = `load-${randomUUID().slice(0, 8)}`;
  private readonly random: SeededRandom;
  private readonly callers: { producers: Promise<void>[]; workers: Promise<void>[] };
  private readonly open = new Set<string>();
  private producing = true;
  private working = true;

  constructor(
    private readonly target: LoadTarget,
    { producers = 4, workers = 4, pauseMs = 20, seed = 1 }: LoadOptions = {},
  ) {
    this.random = new SeededRandom(seed);
    const many = (count: number, run: (i: number) => Promise<void>) => Array.from({ length: count }, (_, i) => run(i));
    this.callers = {
      producers: many(producers, () => this.produce(pauseMs)),
      workers: many(workers, (i) => this.work(`worker-${i}`)),
    };
  }

  /** Resolves when `more` further changes have been acknowledged. @throws Error after `timeoutMs` */
  async untilAcknowledged(more: number, timeoutMs = 90_000): Promise<void> {
    const wanted = this.acknowledged.length + more;
    await this.until(() => this.acknowledged.length >= wanted, timeoutMs, `${more} more acknowledgements`);
  }

  /** Stops the producers, waits until all jobs have ended, and stops the workers. The history says which have not ended in time. */
  async settle(timeoutMs = 90_000): Promise<void> {
    this.producing = false;
    await Promise.all(this.callers.producers);
    for (const end = Date.now() + timeoutMs; this.open.size > 0 && Date.now() < end; await sleep(200))
      await this.forgetEnded();
    this.working = false;
    await Promise.all(this.callers.workers);
  }

  /** The longest time between two acknowledged changes since `from` (`performance.now()`), in milliseconds. */
  longestGap(from: number): number {
    const times = [from, ...this.acknowledged.filter((at) => at >= from)];
    return Math.max(0, ...times.slice(1).map((at, i) => at - times[i]!));
  }

  private async produce(pauseMs: number): Promise<void> {
    while (this.producing) {
      const key = randomUUID();
      const priority = this.random.between(0, 2);
      const action: Of<'enqueue'> = {
        verb: 'enqueue',
        job: key,
        queue: this.queue,
        priority,
        maxRetries: 20,
        key,
        parent: null,
        due: null,
        expires: null,
        reported: false,
      };
      const body = { queue_name: this.queue, payload: { key }, priority, idempotency_key: key, max_retries: 20 };
      await this.call(action, '/jobs', body, ({ id }) => {
        action.job = String(id);
        this.open.add(action.job);
        return { answer: action.job };
      });
      await sleep(pauseMs);
    }
  }

  /** An answer to a completion may have been lost, and the next one then says that the job has ended. One that is gone does not end. */
  private async forgetEnded(): Promise<void> {
    for (const job of [...this.open].slice(0, 20)) {
      const response = await this.request(`/jobs/${job}`);
      if (response?.status === 404 || endedStatuses.has(String(response?.body.status))) this.open.delete(job);
    }
  }

  private async work(worker: string): Promise<void> {
    while (this.working) {
      const leases = await this.claim(worker);
      for (const lease of leases) await this.finish(lease);
      if (leases.length === 0) await sleep(retryPauseMs);
    }
  }

  private async claim(worker: string): Promise<Lease[]> {
    const body = { queue_name: this.queue, worker_id: worker, limit: 5, lease_duration_secs: leaseSeconds };
    const action: Of<'claim'> = { verb: 'claim', queue: this.queue, worker };
    const ending = await this.call(action, '/jobs/claim', body, ({ jobs }) => ({ answer: grantsOf(jobs) }), 1);
    const grants = (ending.outcome === 'ok' && ending.answer) || [];
    return grants.map(({ job, lease }) => ({ job, lease, worker }));
  }

  /** Most jobs are completed, some fail once and come back, some leases are renewed before. */
  private async finish({ job, lease, worker }: Lease): Promise<void> {
    const proof = { worker_id: worker, lease_id: lease };
    const path = (verb: string) => `/jobs/${job}/${verb}`;
    if (this.random.happens(0.1)) {
      const renew: Of<'renew'> = { verb: 'renew', job, lease, worker };
      await this.call(renew, path('heartbeat'), { ...proof, lease_duration_secs: leaseSeconds }, (answer) => ({
        answer: Date.parse(String(answer.lease_expires_at)) + 1,
      }));
    }
    if (this.random.happens(0.05)) {
      await this.call({ verb: 'fail', job, lease, worker, retry: true }, path('fail'), { ...proof, error: 'no' });
      return;
    }
    const ending = await this.call({ verb: 'complete', job, lease, worker }, path('complete'), { ...proof, result: 1 });
    if (ending.outcome === 'ok') this.open.delete(job);
  }

  /** Sends one request until it is answered, and records it as one call. A refusal after an unanswered request proves nothing. */
  private call<A extends Action>(
    action: A,
    path: string,
    body: object,
    read: (answer: Record<string, unknown>) => object = () => ({}),
    attempts = 2_000,
  ): Promise<Ending<A>> {
    return this.history.record(this.target.organizationId, action, async () => {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const response = await this.request(path, body);
        if (response && response.status < 300) {
          const ending = { outcome: 'ok', ...read(response.body) } as Ending<A>;
          if (!isEmpty(ending)) this.acknowledged.push(performance.now());
          return ending;
        }
        if (response && response.status < 500 && response.status !== 429)
          return { outcome: attempt === 1 ? 'refused' : 'unknown' };
        await sleep(retryPauseMs);
      }
      return { outcome: 'unknown' };
    });
  }

  /** @returns undefined if there was no response */
  private async request(path: string, body?: object): Promise<Response | undefined> {
    const { nextGateway, apiKey } = this.target;
    const began = performance.now();
    try {
      const response = await fetch(`${nextGateway()}/api/v1${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      const answer = (await response.json()) as Response['body'];
      if (response.ok) this.durations.push(performance.now() - began);
      else this.count(`${response.status} ${String(answer.code)}`);
      return { status: response.status, body: answer };
    } catch {
      this.count('no answer');
      return undefined;
    }
  }

  private count(kind: string): void {
    this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
  }

  private async until(isDone: () => boolean, timeoutMs: number, what: string): Promise<void> {
    for (const end = Date.now() + timeoutMs; !isDone(); await sleep(10))
      if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms for ${what}`);
  }
}

/** A claim that found nothing changes nothing. */
const isEmpty = (ending: object): boolean =>
  'answer' in ending && Array.isArray(ending.answer) && ending.answer.length === 0;

/** Microseconds of an expiry are cut off, so one millisecond is added. */
const grantsOf = (jobs: unknown) =>
  (jobs as { id: string; lease_id: string; priority: number; lease_expires_at: string }[]).map((job) => ({
    job: job.id,
    lease: job.lease_id,
    priority: job.priority,
    expiresAt: Date.parse(job.lease_expires_at) + 1,
  }));
