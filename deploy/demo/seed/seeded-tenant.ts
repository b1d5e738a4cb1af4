import { setTimeout as sleep } from 'node:timers/promises';
import { type NewJob, type LeasedJob, PermanentError, type Spooled, Worker } from '@spooled/sdk';
import type { SeedTenant } from './tenants.js';

/** Nothing listens on the discard port, so calls are refused at once. */
const downReceiver = 'http://127.0.0.1:9/receiver';
const pushedJobs = 20;
/** One job of the load in this many fails once, and its retry succeeds. */
const retriedEvery = 25;

/** How the worker treats a job: `error` makes a dead letter, `failures` attempts fail before one succeeds. */
interface Simulated {
  simulate?: { ms?: number; error?: string; failures?: number };
}

/** One tenant with its worker. Everything that exists already is kept, so a second run only adds what is missing. */
export class SeededTenant {
  private readonly worker: Worker;
  private created = 0;

  constructor(
    private readonly tenant: SeedTenant,
    private readonly client: Spooled,
    onError: (error: unknown) => void,
  ) {
    const queues = Object.fromEntries(Object.keys(tenant.queues).map((queue) => [queue, run]));
    this.worker = new Worker(client, { queues, concurrency: 10, workerId: `${tenant.slug}-worker` });
    this.worker.on('error', onError);
  }

  /** Resolves when the dead letters exist, the workflow has failed and one batch has ended. */
  async prepare(): Promise<void> {
    await this.configureQueues();
    await this.worker.start();
    await this.addSchedules();
    await Promise.all([this.addDeadLetters(), this.addWorkflow(), this.addBatches(), this.addPushedJobs()]);
  }

  /** Creates jobs at a rate that rises and falls every ten minutes, until the signal. */
  async load(signal: AbortSignal): Promise<void> {
    const queues = Object.entries(this.tenant.queues);
    while (!signal.aborted) {
      const [queueName, { jobType, ms }] = queues[this.created % queues.length]!;
      const failures = this.created % retriedEvery === retriedEvery - 1 ? 1 : 0;
      const payload = { job_type: jobType, number: this.created++, simulate: { ms, failures } };
      await this.client.jobs.create({ queueName, payload });
      const wave = 1 + 0.8 * Math.sin((Date.now() / 600_000) * 2 * Math.PI);
      await sleep(1000 / (this.tenant.jobsPerSecond * wave), undefined, { signal }).catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    await this.worker.stop(5_000);
  }

  private async configureQueues(): Promise<void> {
    const { queues } = this.client;
    for (const name of Object.keys(this.tenant.queues)) await queues.configure(name, { maxRetries: 3 });
    await queues.configure(this.tenant.pushQueue, { maxRetries: 100, settings: { callback_url: downReceiver } });
  }

  private async addSchedules(): Promise<void> {
    const { schedules } = this.client;
    const existing = new Map((await schedules.list()).map(({ name, id }) => [name, id]));
    for (const { paused, ...wanted } of this.tenant.schedules) {
      const known = existing.get(wanted.name);
      const { id } = known ? await schedules.update(known, wanted) : await schedules.create(wanted);
      if (paused) await schedules.pause(id);
    }
  }

  private async addDeadLetters(): Promise<void> {
    for (const { queue, jobType, error, count } of this.tenant.causes) {
      const existing = await this.deadLettersOf(queue, error);
      const jobs = Array.from({ length: Math.max(0, count - existing) }, (_, number) => ({
        payload: { job_type: jobType, number, simulate: { error } },
      }));
      if (jobs.length > 0) await this.client.jobs.createMany({ queueName: queue, jobs });
      await until(async () => (await this.deadLettersOf(queue, error)) >= count);
    }
  }

  private async deadLettersOf(queueName: string, error: string): Promise<number> {
    const groups = await this.client.deadLetters.groups({ queueName });
    return groups.find(({ sample }) => sample.error === error)?.count ?? 0;
  }

  private async addWorkflow(): Promise<void> {
    const { name, steps } = this.tenant.workflow;
    const { workflows } = this.client;
    if ((await workflows.list()).some((workflow) => workflow.name === name)) return;
    const jobs = steps.map(({ key, queue, dependsOn, error }) => {
      const { jobType: job_type, ms } = this.tenant.queues[queue]!;
      return { key, queueName: queue, dependsOn, payload: { job_type, step: key, simulate: { ms, error } } };
    });
    const { workflowId } = await workflows.create({ name, jobs });
    await until(async () => (await workflows.get(workflowId)).status === 'failed');
  }

  /** A quarter of the jobs of the open batch waits for tomorrow. */
  private async addBatches(): Promise<void> {
    const { name, queue: queueName, jobs: count } = this.tenant.batch;
    const { batches } = this.client;
    const existing = new Set((await batches.list()).map((batch) => batch.name));
    const { jobType: job_type, ms } = this.tenant.queues[queueName]!;
    const payload = { job_type, simulate: { ms } };
    const add = async (batchName: string, waiting: number) => {
      if (existing.has(batchName)) return;
      const report = { queueName, payload };
      const { id } = await batches.create({ name: batchName, onComplete: report, onDeath: report });
      const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
      const jobs = Array.from({ length: count }, (_, i) => ({ payload, ...(i < waiting && { scheduledAt }) }));
      await batches.add(id, { queueName, jobs });
      if (waiting > 0) return;
      await batches.close(id);
      await until(async () => (await batches.get(id)).status === 'completed');
    };
    await Promise.all([add(name, 0), add(`${name}, continued`, Math.ceil(count / 4))]);
  }

  private async addPushedJobs(): Promise<void> {
    const queueName = this.tenant.pushQueue;
    const { total } = await this.client.jobs.stats(queueName);
    const jobs = Array.from({ length: Math.max(0, pushedJobs - total) }, (_, number): Omit<NewJob, 'queueName'> => ({
      payload: { job_type: 'notify', number },
    }));
    if (jobs.length > 0) await this.client.jobs.createMany({ queueName, jobs });
  }
}

async function run({ payload, retryCount }: LeasedJob<Simulated | null>): Promise<{ done: true }> {
  const { ms = 20, error, failures = 0 } = payload?.simulate ?? {};
  await sleep(ms * (0.5 + Math.random()));
  if (error !== undefined) throw new PermanentError(error);
  if (retryCount < failures) throw new Error('Upstream answered 503');
  return { done: true };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(60_000);
  while (!(await isDone())) await sleep(200, undefined, { signal: deadline });
}
