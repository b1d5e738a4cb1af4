import { setTimeout as sleep } from 'node:timers/promises';
import type { Claimed, DemoApi } from './api.js';
import type { Entry, Ledger } from './ledger.js';

const claimLimit = 10;
/** One attempt of so many fails although nothing is wrong with the job, so that retries are seen. */
const unluckyEvery = 20;
/** One attempt of so many takes long enough to be worth a heartbeat. */
const slowEvery = 25;
/** Nothing happened for so long: what is still open counts as lost. Leases last 10 s, the longest backoff 4.5 s. */
const patienceMs = 90_000;

/** Workers that claim from whichever queue has work left, and complete, fail and renew as real ones do. */
export class WorkerPool {
  private attempt = 0;

  constructor(
    private readonly api: DemoApi,
    private readonly ledger: Ledger,
    private readonly size: number,
  ) {}

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.size }, (_, number) => this.work(`demo-worker-${number}`, number)));
  }

  private async work(worker: string, offset: number): Promise<void> {
    for (let round = offset; !this.ledger.finished && this.ledger.silence < patienceMs; round++) {
      const queues = this.ledger.openQueues();
      const queue = queues[round % Math.max(queues.length, 1)];
      const jobs = queue === undefined ? [] : await this.api.claim(queue, worker, claimLimit);
      if (jobs.length === 0) await sleep(50);
      await Promise.all(jobs.map((job) => this.handle(worker, job)));
    }
  }

  private async handle(worker: string, job: Claimed): Promise<void> {
    const entry = await this.entryOf(job);
    if (!entry) return this.giveBack(worker, job);
    this.ledger.start(entry);
    const number = this.attempt++;
    if (number % slowEvery === 0) await this.beat(worker, job);
    if (entry.poison || number % unluckyEvery === 1) return this.fail(worker, job, entry);
    return this.complete(worker, job, entry);
  }

  /** GitHub's delivery id is the job's idempotency key; it tells which webhook became this job. */
  private async entryOf({ id }: Claimed): Promise<Entry | undefined> {
    const known = this.ledger.entryOf(id);
    if (known !== 'unknown') return known;
    const { idempotency_key: key } = await this.api.ok<{ idempotency_key: string | null }>('GET', `/jobs/${id}`);
    return this.ledger.identify(id, key);
  }

  private async beat(worker: string, { id, lease_id }: Claimed): Promise<void> {
    await sleep(200);
    const { status } = await this.api.call('POST', `/jobs/${id}/heartbeat`, {
      worker_id: worker,
      lease_id,
      lease_duration_secs: 10,
    });
    if (status === 200) this.ledger.heartbeats++;
    else this.ledger.leasesLost++;
  }

  private async complete(worker: string, { id, lease_id }: Claimed, entry: Entry): Promise<void> {
    const body = { worker_id: worker, lease_id, result: { handled_by: worker } };
    const { status, body: answer } = await this.api.call<{ code?: string }>('POST', `/jobs/${id}/complete`, body);
    // 409 CONFLICT: an earlier try of this very call was accepted and its answer got lost on the way.
    if (status === 200 || (status === 409 && answer.code === 'CONFLICT')) this.ledger.complete(entry);
    else this.lost(status, answer);
  }

  private async fail(worker: string, { id, lease_id }: Claimed, entry: Entry): Promise<void> {
    const error = entry.poison ? 'This webhook cannot be handled' : 'Bad luck';
    const { status, body } = await this.api.call<{ will_retry: boolean; code?: string }>('POST', `/jobs/${id}/fail`, {
      worker_id: worker,
      lease_id,
      error,
    });
    if (status === 200) this.ledger.fail(entry, body.will_retry);
    else if (!(await this.endedMeanwhile(id, entry))) this.lost(status, body);
  }

  /** When a failure's answer got lost, the job itself tells whether it is dead now. */
  private async endedMeanwhile(id: string, entry: Entry): Promise<boolean> {
    const job = await this.api.ok<{ status: string }>('GET', `/jobs/${id}`);
    if (job.status === 'deadletter' && !entry.dead) this.ledger.fail(entry, false);
    return job.status === 'deadletter';
  }

  /** The lease ended before we did: the job comes back to somebody, which is what leases are for. */
  private lost(status: number, answer: unknown): void {
    if (status !== 409 && status !== 404) throw new Error(`A worker was answered ${status}: ${JSON.stringify(answer)}`);
    this.ledger.leasesLost++;
  }

  /** Not ours (an earlier run that was cut off): finish it quietly. */
  private async giveBack(worker: string, { id, lease_id }: Claimed): Promise<void> {
    await this.api.call('POST', `/jobs/${id}/complete`, { worker_id: worker, lease_id });
  }
}
