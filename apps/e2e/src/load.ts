import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@spooled/testing';
import type pg from 'pg';

interface Claimed {
  id: string;
  lease_id: string;
  lease_expires_at: string;
}

interface Answer<T> {
  status: number;
  body: T;
}

/** Producers and workers that go on while services die under them, and remember what they were told. */
export class Load {
  /** Jobs whose creation was acknowledged, by their idempotency key. */
  readonly acknowledged = new Map<string, string>();
  /** Completions that were answered with success, per job. */
  readonly completed = new Map<string, number>();
  /** Claims whose answer arrived, per job: when each lease was to end. */
  readonly leases = new Map<string, string[]>();
  /** Jobs that were handed out while an earlier holder still had its lease. */
  readonly sharedJobs: string[] = [];
  private readonly queue = `load-${randomUUID().slice(0, 8)}`;
  private readonly loops: Promise<void>[] = [];
  private producing = true;
  private working = true;

  constructor(
    private readonly stack: Stack,
    { producers = 8, workers = 6 } = {},
  ) {
    for (let i = 0; i < producers; i++) this.loops.push(this.produce(i));
    for (let i = 0; i < workers; i++) this.loops.push(this.work(i));
  }

  /** Resolves when so many more jobs have been acknowledged than now. */
  async accepted(more: number): Promise<void> {
    await this.until(() => this.acknowledged.size, this.acknowledged.size + more);
  }

  /** Resolves when so many more jobs have been completed than now. */
  async finished(more: number): Promise<void> {
    await this.until(() => this.completed.size, this.completed.size + more);
  }

  /** Milliseconds until a further job has been acknowledged and a further one completed. */
  async timeToNext(): Promise<number> {
    const since = performance.now();
    await Promise.all([this.accepted(1), this.finished(1)]);
    return performance.now() - since;
  }

  /** Stops producing, lets the workers finish everything that was acknowledged, and stops them. */
  async settle(timeoutMs = 60_000): Promise<void> {
    this.producing = false;
    const end = Date.now() + timeoutMs;
    while (this.open().length > 0 && Date.now() < end) await sleep(50);
    this.working = false;
    await Promise.all(this.loops);
  }

  /** Acknowledged jobs that nobody has been told are done. */
  open(): string[] {
    return [...this.acknowledged.values()].filter((id) => !this.completed.has(id));
  }

  private async produce(number: number): Promise<void> {
    while (this.producing) {
      const key = randomUUID();
      const answer = await this.persist<{ id: string }>(number, '/jobs', {
        queue_name: this.queue,
        payload: { key },
        idempotency_key: key,
        max_retries: 20,
      });
      if (answer) this.acknowledged.set(key, answer.body.id);
    }
  }

  private async work(number: number): Promise<void> {
    const worker = `worker-${number}`;
    while (this.working) {
      const claim = { queue_name: this.queue, worker_id: worker, limit: 5, lease_duration_secs: 5 };
      const answer = await this.attempt<{ jobs: Claimed[] }>(number, '/jobs/claim', claim);
      if (answer?.status !== 200 || answer.body.jobs.length === 0) {
        await sleep(20);
        continue;
      }
      for (const job of answer.body.jobs) this.note(job);
      for (const job of answer.body.jobs) await this.complete(number, worker, job);
    }
  }

  private note({ id, lease_expires_at }: Claimed): void {
    const earlier = this.leases.get(id) ?? [];
    const last = earlier.at(-1);
    if (last !== undefined && Date.parse(last) > Date.now() && !this.completed.has(id)) this.sharedJobs.push(id);
    if (this.completed.has(id)) this.sharedJobs.push(id);
    this.leases.set(id, [...earlier, lease_expires_at]);
  }

  private async complete(number: number, worker: string, { id, lease_id }: Claimed): Promise<void> {
    const body = { worker_id: worker, lease_id, result: { done: true } };
    for (let attempt = 0; attempt < 40; attempt++) {
      const answer = await this.attempt<{ code?: string }>(number + attempt, `/jobs/${id}/complete`, body);
      const wasDone = answer?.status === 409 && answer.body.code === 'CONFLICT' && attempt > 0;
      if (answer?.status === 200 || wasDone) {
        this.completed.set(id, (this.completed.get(id) ?? 0) + 1);
        return;
      }
      // The lease is gone: the job will come to somebody again.
      if (answer && answer.status < 500) return;
      await sleep(100);
    }
  }

  /** Repeats a request until it succeeds; undefined only when the test has stopped producing meanwhile. */
  private async persist<T>(number: number, path: string, body: unknown): Promise<Answer<T> | undefined> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const answer = await this.attempt<T>(number + attempt, path, body);
      if (answer && answer.status < 300) return answer;
      if (answer && answer.status < 500 && answer.status !== 429) {
        throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      if (!this.producing && !answer) return undefined;
      await sleep(50);
    }
    throw new Error(`${path} did not succeed for 30 s`);
  }

  /** One request to one of the gateways; undefined when there was no answer. */
  private async attempt<T>(number: number, path: string, body: unknown): Promise<Answer<T> | undefined> {
    const urls = this.stack.baseUrls;
    try {
      const response = await fetch(`${urls[number % urls.length]}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.stack.apiKey}`, 'content-type': 'application/json' },
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
 * Jobs for which more leases have expired than workers can have let expire: a lease was granted that no worker received.
 * @param superuser sees every tenant
 */
export async function attemptsOfNobody(superuser: pg.Client, load: Load): Promise<object[]> {
  const { rows } = await superuser.query<{ job_id: string; expired: number }>(
    `SELECT job_id, count(*)::int AS expired FROM job_history WHERE event = 'lease_expired' GROUP BY job_id`,
  );
  // The last lease that was received is the one that ended with the job's completion.
  return rows.filter(({ job_id, expired }) => expired > (load.leases.get(job_id)?.length ?? 0) - 1);
}
