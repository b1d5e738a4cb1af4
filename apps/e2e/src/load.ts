import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@spooled/testing';
import type pg from 'pg';

interface Claimed {
  id: string;
  lease_id: string;
  lease_expires_at: string;
}

/**
 * Acknowledged jobs that may wait for a worker. Eight producers outrun six workers: without a bound 480 to 700 jobs waited at the
 * end of a test, which then only completed them.
 */
const mostOpen = 100;
/**
 * Of a producer after each job, and of a worker after a claim that found none. As fast as it could be, the load took both cores for as
 * long as a spec waited for a service to start or for a failover. Now eight producers create 70 jobs a second.
 */
const pauseMs = 100;

interface ApiResponse<T> {
  status: number;
  body: T;
}

/** Producers and workers that continue while services die, and record the responses. */
export class Load {
  /** Jobs whose creation was acknowledged, by their idempotency key. */
  readonly acknowledged = new Map<string, string>();
  /** Number of successful completions per job. */
  readonly completed = new Map<string, number>();
  /** Expiry times of received leases, per job. */
  readonly leases = new Map<string, string[]>();
  /** Jobs that were claimed while an earlier lease was still valid. */
  readonly sharedJobs: string[] = [];
  private readonly queue = `load-${randomUUID().slice(0, 8)}`;
  private readonly producers: Promise<void>[] = [];
  private readonly workers: Promise<void>[] = [];
  private readonly headers: Record<string, string>;
  private producing = true;
  private working = true;

  constructor(
    private readonly stack: Stack,
    { producers = 8, workers = 6, apiKey = stack.apiKey } = {},
  ) {
    this.headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    for (let i = 0; i < producers; i++) this.producers.push(this.produce(i));
    for (let i = 0; i < workers; i++) this.workers.push(this.work(i));
  }

  /** Resolves when `more` further jobs have been acknowledged. */
  async accepted(more: number): Promise<void> {
    await this.until(() => this.acknowledged.size, this.acknowledged.size + more);
  }

  /** Resolves when `more` further jobs have been completed. */
  async finished(more: number): Promise<void> {
    await this.until(() => this.completed.size, this.completed.size + more);
  }

  /** Resolves when another job has been acknowledged and another one completed. */
  async next(): Promise<void> {
    await Promise.all([this.accepted(1), this.finished(1)]);
  }

  /** Resolves when every lease that a worker has received is over. */
  async leasesExpired(): Promise<void> {
    const last = Math.max(...[...this.leases.values()].flat().map((time) => Date.parse(time)));
    await sleep(Math.max(0, last - Date.now()));
  }

  /** Stops the producers, waits until the workers have completed all acknowledged jobs, and stops them. */
  async settle(timeoutMs = 60_000): Promise<void> {
    this.producing = false;
    const end = Date.now() + timeoutMs;
    // Their last jobs may be acknowledged only now.
    await Promise.all(this.producers);
    while (this.open().length > 0 && Date.now() < end) await sleep(50);
    this.working = false;
    await Promise.all(this.workers);
  }

  /** Acknowledged jobs without a successful completion. */
  open(): string[] {
    return [...this.acknowledged.values()].filter((id) => !this.completed.has(id));
  }

  private async produce(number: number): Promise<void> {
    while (this.producing) {
      if (this.acknowledged.size - this.completed.size >= mostOpen) {
        await sleep(5);
        continue;
      }
      const key = randomUUID();
      const response = await this.retryUntilDone<{ id: string }>(number, '/jobs', {
        queue_name: this.queue,
        payload: { key },
        idempotency_key: key,
        max_retries: 20,
      });
      if (response) this.acknowledged.set(key, response.body.id);
      await sleep(pauseMs);
    }
  }

  private async work(number: number): Promise<void> {
    const worker = `worker-${number}`;
    while (this.working) {
      const claim = { queue_name: this.queue, worker_id: worker, limit: 5, lease_duration_secs: 5 };
      const response = await this.attempt<{ jobs: Claimed[] }>(number, '/jobs/claim', claim);
      if (response?.status !== 200 || response.body.jobs.length === 0) {
        await sleep(pauseMs);
        continue;
      }
      for (const job of response.body.jobs) this.record(job);
      for (const job of response.body.jobs) await this.complete(number, worker, job);
    }
  }

  private record({ id, lease_expires_at }: Claimed): void {
    const earlier = this.leases.get(id) ?? [];
    const last = earlier.at(-1);
    if (last !== undefined && Date.parse(last) > Date.now() && !this.completed.has(id)) this.sharedJobs.push(id);
    if (this.completed.has(id)) this.sharedJobs.push(id);
    this.leases.set(id, [...earlier, lease_expires_at]);
  }

  private async complete(number: number, worker: string, { id, lease_id }: Claimed): Promise<void> {
    const body = { worker_id: worker, lease_id, result: { done: true } };
    for (let attempt = 0; attempt < 40; attempt++) {
      const response = await this.attempt<{ code?: string }>(number + attempt, `/jobs/${id}/complete`, body);
      const wasDone = response?.status === 409 && response.body.code === 'CONFLICT' && attempt > 0;
      if (response?.status === 200 || wasDone) {
        this.completed.set(id, (this.completed.get(id) ?? 0) + 1);
        return;
      }
      // The lease is lost; another worker will claim the job.
      if (response && response.status < 500) return;
      await sleep(100);
    }
  }

  /** Retries a request until it succeeds; undefined only if the producers have been stopped. */
  private async retryUntilDone<T>(number: number, path: string, body: unknown): Promise<ApiResponse<T> | undefined> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const response = await this.attempt<T>(number + attempt, path, body);
      if (response && response.status < 300) return response;
      if (response && response.status < 500 && response.status !== 429) {
        throw new Error(`${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
      }
      if (!this.producing && !response) return undefined;
      await sleep(50);
    }
    throw new Error(`${path} did not succeed for 30 s`);
  }

  /** Sends one request to a gateway; undefined if there was no response. */
  private async attempt<T>(number: number, path: string, body: unknown): Promise<ApiResponse<T> | undefined> {
    const urls = this.stack.baseUrls;
    try {
      const response = await fetch(`${urls[number % urls.length]}/api/v1${path}`, {
        method: 'POST',
        headers: this.headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      });
      return { status: response.status, body: (await response.json()) as T };
    } catch {
      return undefined;
    }
  }

  private async until(count: () => number, wanted: number): Promise<void> {
    const end = Date.now() + 45_000;
    while (count() < wanted) {
      if (Date.now() > end) throw new Error(`Stuck at ${count()} of ${wanted}`);
      await sleep(10);
    }
  }
}

/**
 * Jobs of the load for which more leases have expired than workers received: a granted lease did not reach its worker.
 * @param superuser sees every tenant
 */
export async function findUnreceivedLeases(superuser: pg.ClientBase, load: Load): Promise<object[]> {
  const { rows } = await superuser.query<{ job_id: string; expired: number }>(
    `SELECT job_id, count(*)::int AS expired FROM job_history
     WHERE event = 'lease_expired' AND job_id = ANY ($1::uuid[]) GROUP BY job_id`,
    [[...load.acknowledged.values()]],
  );
  // The last received lease ended with the completion of the job.
  return rows.filter(({ job_id, expired }) => expired > (load.leases.get(job_id)?.length ?? 0) - 1);
}
