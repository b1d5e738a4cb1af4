import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Spooled } from '@spooled/sdk';
import type { SeededRandom } from '@spooled/testing';

export interface ProducersOptions {
  apiKey: string;
  fetch: typeof globalThis.fetch;
  random: SeededRandom;
  /** Receives the completion webhooks of some jobs. */
  receiverUrl: string;
}

const requestTimeoutMs = 8_000;
/** Calls of each kind in a second. With five jobs in each bulk request: 46 jobs a second. */
const perSecond = { single: 12, keyed: 14, bulk: 4, cancel: 2, retry: 1 };
const bulkSize = 5;
/** A producer does not pile up more calls than this while nothing is answered. */
const mostInFlight = 40;
const mostRemembered = 200;
const maxRetries = 2;
const fates = {
  complete: 84,
  long: 2,
  fail: 2,
  'fail once': 6,
  'release once': 4,
  'abandon once': 2,
};

/** Callers that create, cancel and retry jobs at a steady rate, whatever happens to the answers. */
export class Producers {
  private readonly jobs: string[] = [];
  private readonly ended: string[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private readonly loops: Promise<void>[];
  private readonly stopping = new AbortController();
  private readonly client: Spooled;

  constructor(private readonly options: ProducersOptions) {
    const { apiKey, fetch } = options;
    this.client = new Spooled({ baseUrl: 'http://gateways', apiKey, fetch, timeoutMs: requestTimeoutMs });
    const acts = {
      single: () => this.single(),
      keyed: () => this.keyed(),
      bulk: () => this.bulk(),
      cancel: () => this.cancel(),
      retry: () => this.retry(),
    };
    this.loops = (Object.keys(acts) as (keyof typeof acts)[]).map((kind) => this.repeat(acts[kind], perSecond[kind]));
  }

  /** Resolves when the last call has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
    await Promise.all(this.inFlight);
  }

  private async repeat(act: () => Promise<void>, times: number): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await sleep(1000 / times);
      if (this.inFlight.size >= mostInFlight) continue;
      const call = act()
        .catch(() => undefined)
        .finally(() => this.inFlight.delete(call));
      this.inFlight.add(call);
    }
  }

  private payload() {
    const { random } = this.options;
    return { fate: random.weighted(fates), ms: random.between(5, 60) };
  }

  /** Over plain REST, once. */
  private async single(): Promise<void> {
    const { apiKey, fetch, random, receiverUrl } = this.options;
    const queue_name = random.happens(0.3) ? 'narrow' : 'rest';
    const parent_job_id = random.happens(0.05) ? random.of(this.jobs) : undefined;
    const scheduled_at = random.happens(0.05)
      ? new Date(Date.now() + random.between(500, 3000)).toISOString()
      : undefined;
    const completion_webhook = random.happens(0.2) ? receiverUrl : undefined;
    const response = await fetch('http://gateways/api/v1/jobs', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        queue_name,
        payload: this.payload(),
        max_retries: maxRetries,
        parent_job_id,
        scheduled_at,
        completion_webhook,
      }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (response.ok) this.remember(((await response.json()) as { id: string }).id);
  }

  /** By the SDK, which repeats it. */
  private async keyed(): Promise<void> {
    const job = { queueName: 'sdk', payload: this.payload(), maxRetries, idempotencyKey: randomUUID() };
    this.remember((await this.client.jobs.create(job)).id);
  }

  private async bulk(): Promise<void> {
    const jobs = Array.from({ length: bulkSize }, () => ({
      payload: this.payload(),
      maxRetries,
      idempotencyKey: randomUUID(),
    }));
    const { succeeded } = await this.client.jobs.createMany({ queueName: 'rest', jobs });
    for (const { jobId } of succeeded) this.remember(jobId);
  }

  private async cancel(): Promise<void> {
    const id = this.options.random.of(this.jobs.slice(-10));
    if (!id) return;
    await this.client.jobs.cancel(id);
    this.ended.push(id);
  }

  private async retry(): Promise<void> {
    const id = this.ended.shift();
    if (id) await this.client.jobs.retry(id);
  }

  private remember(id: string): void {
    this.jobs.push(id);
    if (this.jobs.length > mostRemembered) this.jobs.shift();
  }
}
