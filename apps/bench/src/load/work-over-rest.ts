import { type HttpConnection, type HttpResponse, refusal } from './http-connection.js';

export interface HeldJob {
  id: string;
  lease_id: string;
  payload: { at?: number; n?: number };
}

export interface ClaimRequest {
  queue: string;
  worker: string;
  limit: number;
  /** How long the claim waits for a job; default: no wait. */
  waitSeconds?: number;
}

/** @throws Error with the body of an error response */
export function read<Body>(response: HttpResponse): Body {
  if (response.status >= 400) throw new Error(refusal(response));
  return JSON.parse(response.body) as Body;
}

/** @throws Error when the request fails */
export async function claimJobs(
  connection: HttpConnection,
  { queue, worker, limit, waitSeconds }: ClaimRequest,
): Promise<HeldJob[]> {
  const body = { queue_name: queue, worker_id: worker, limit, lease_duration_secs: 3_600, wait_seconds: waitSeconds };
  const response = await connection.post('/api/v1/jobs/claim', JSON.stringify(body));
  return read<{ jobs: HeldJob[] }>(response).jobs;
}

/** @returns why the job was not completed; null if it was */
export async function completeJob(
  connection: HttpConnection,
  worker: string,
  { id, lease_id }: HeldJob,
): Promise<string | null> {
  const request = JSON.stringify({ worker_id: worker, lease_id });
  const response = await connection.post(`/api/v1/jobs/${id}/complete`, request);
  return response.status < 400 ? null : refusal(response);
}

/** @returns the number of completed jobs. @throws Error when the request fails */
export async function completeJobs(connection: HttpConnection, worker: string, jobs: HeldJob[]): Promise<number> {
  return succeeded(await connection.post('/api/v1/jobs/complete/bulk', completion(worker, jobs)));
}

/** Body of `POST /api/v1/jobs/complete/bulk`. */
export function completion(worker: string, jobs: Pick<HeldJob, 'id' | 'lease_id'>[]): string {
  const items = jobs.map(({ id, lease_id }) => ({ job_id: id, lease_id }));
  return JSON.stringify({ worker_id: worker, jobs: items });
}

/** @returns of how many jobs a bulk request was accepted. @throws Error for an error response */
export const succeeded = (response: HttpResponse): number => read<{ success_count: number }>(response).success_count;
