import type { Job } from '@spooled/contracts/grpc';
import type { Window } from '../measure/window.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { Completions } from './completions.js';
import { GrpcConnection } from './grpc-connection.js';

/** A worker over StreamJobs and ProcessJobs, until the window closes. */
export async function streamJobs(
  stack: BenchStack,
  window: Window,
  request: { queue_name: string; worker_id: string; lease_duration_secs: number; prefetch: number },
  onJob: (job: Job, completions: Completions) => void,
): Promise<void> {
  const connection = new GrpcConnection(stack);
  const completions = new Completions(connection, request.worker_id);
  const jobs = connection.streamJobs(request);
  jobs.on('error', (error) => {
    // The stream is cancelled at the end, which is reported as an error.
    if (!window.over) window.fail(`StreamJobs: ${error.message}`);
  });
  jobs.on('data', (job) => onJob(job, completions));
  await window.whenClosed;
  jobs.cancel();
  await completions.close();
  connection.close();
}
