import type { HttpConnection } from './http-connection.js';

export interface HeldJob {
  id: string;
  lease_id: string;
  payload: { at?: number; n?: number };
}

export interface ClaimRequest {
  queue: string;
  worker: string;
  limit: number;
  /** How long the answer may wait for a job; without it the answer comes at once. */
  waitSeconds?: number;
}

/** An answer that is not what it should be; its message says what the door said. */
function read<Body>({ status, body }: { status: number; body: string }): Body {
  if (status >= 400) throw new Error(`${status} ${body.slice(0, 120)}`);
  return JSON.parse(body) as Body;
}

/** @throws Error when it is refused */
export async function claimJobs(
  lane: HttpConnection,
  { queue, worker, limit, waitSeconds }: ClaimRequest,
): Promise<HeldJob[]> {
  const body = { queue_name: queue, worker_id: worker, limit, lease_duration_secs: 3_600, wait_seconds: waitSeconds };
  const answer = await lane.post('/api/v1/jobs/claim', JSON.stringify(body));
  return read<{ jobs: HeldJob[] }>(answer).jobs;
}

/** @returns how many the door accepted. @throws Error when the whole request is refused */
export async function completeJobs(lane: HttpConnection, worker: string, jobs: HeldJob[]): Promise<number> {
  const items = jobs.map(({ id, lease_id }) => ({ job_id: id, lease_id }));
  const answer = await lane.post('/api/v1/jobs/complete/bulk', JSON.stringify({ worker_id: worker, jobs: items }));
  return read<{ success_count: number }>(answer).success_count;
}
