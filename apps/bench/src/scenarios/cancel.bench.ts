import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWorker } from '../load/batch-worker.js';
import { type HttpConnection, refusal } from '../load/http-connection.js';
import { openLoop } from '../load/open-loop.js';
import { jobBody } from '../load/payload.js';
import { read } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';

const queue = 'bench-cancel';
const rate = 100;
const patienceMs = 5_000;

export const cancel: Scenario = {
  name: 'cancel',
  what: 'cancelling a running job: the time from the send of the request until the worker is told, over StreamBatches',
  settings: ({ payloadBytes }) => ({ 'jobs a second': rate, 'payload bytes': payloadBytes }),
  async run({ stack, options, measure }) {
    const body = jobBody(queue, options.payloadBytes);
    await measure({ name: 'cancel' }, async (window) => {
      const [started, told] = [new Arrivals(), new Arrivals()];
      const worker = new BatchWorker(stack, window, 'worker-1', {
        queue,
        onJobs: (jobs) => jobs.forEach(({ id }) => started.arrive(id)),
        onCancellations: (jobs) => {
          for (const { job_id: id } of jobs) told.arrive(id);
          worker.giveUp(jobs);
        },
      });
      await openLoop(stack, window, rate, (connection) =>
        cancelOne(connection, window, { body, started, told }).catch((error: Error) => window.fail(error.message)),
      );
      await worker.close();
    });
  },
};

/** @throws Error when a request is refused, or the worker is not told */
async function cancelOne(
  connection: HttpConnection,
  window: Window,
  { body, started, told }: { body: string; started: Arrivals; told: Arrivals },
): Promise<void> {
  const { id } = read<{ id: string }>(await connection.post('/api/v1/jobs', body));
  await started.of(id);
  const sentAt = performance.now();
  const asked = await connection.post(`/api/v1/jobs/${id}/cancellation`, '{}');
  if (asked.status !== 202) throw new Error(refusal(asked));
  const arrivedAt = await told.of(id);
  window.record(arrivedAt - sentAt);
}

/** When messages about jobs arrived; one may come before or after it is waited for. */
class Arrivals {
  private readonly byId = new Map<string, PromiseWithResolvers<number>>();

  arrive(id: string): void {
    this.entry(id).resolve(performance.now());
  }

  /** @throws Error after 5 s */
  async of(id: string): Promise<number> {
    const arrived = this.entry(id).promise.finally(() => this.byId.delete(id));
    const at = await Promise.race([arrived, sleep(patienceMs, null, { ref: false })]);
    if (at === null) throw new Error('the worker got no message');
    return at;
  }

  private entry(id: string): PromiseWithResolvers<number> {
    const entry = this.byId.get(id) ?? Promise.withResolvers<number>();
    this.byId.set(id, entry);
    return entry;
  }
}
