import { fillWaiting } from '../fill/fill-jobs.js';
import { BatchWorker } from '../load/batch-worker.js';
import { accepted } from '../load/http-connection.js';
import { openLoop } from '../load/open-loop.js';
import type { Scenario } from '../scenario.js';

const queue = 'bench-waits';
const rowsByDefault = 100_000;
const rate = 100;

export const waits: Scenario = {
  name: 'waits',
  what: 'jobs whose handlers wait for a signal: their size, and the time from the send of the signal until a worker has the job again',
  onDemand: true,
  settings: (options) => ({
    'waiting jobs': options.rows ?? rowsByDefault,
    'signals a second': rate,
    'payload bytes': options.payloadBytes,
  }),
  async run(bench) {
    const { stack, options, measure } = bench;
    const rows = options.rows ?? rowsByDefault;
    const bytes = await fillWaiting(bench, { rows, queue });
    // Before the window: sorting a million rows takes longer than its warm-up.
    const found = await stack.superuser.query<{ job_id: string }>(
      'SELECT job_id FROM job_steps WHERE finished_at IS NULL ORDER BY random() LIMIT $1',
      [rate * (options.seconds + options.warmup) + rate],
    );
    const waiting = found.rows.map(({ job_id: id }) => id);
    await measure({ name: 'wake' }, async (window) => {
      window.figure('bytes a waiting job', Math.round(bytes / rows));
      const sentAt = new Map<string, number>();
      const worker = new BatchWorker(stack, window, 'worker-1', {
        queue,
        onJobs: (jobs) => {
          for (const { id } of jobs) {
            const at = sentAt.get(id);
            if (at === undefined) window.fail('a job that had no signal');
            else window.record(performance.now() - at);
          }
          void worker.complete(jobs);
        },
      });
      await openLoop(stack, window, rate, async (connection, dueAt) => {
        const id = waiting.pop();
        if (id === undefined) return window.close();
        sentAt.set(id, dueAt);
        const body = '{"step":"approval","payload":true}';
        await accepted(connection.post(`/api/v1/jobs/${id}/signals`, body), window);
      });
      await worker.close();
    });
  },
};
