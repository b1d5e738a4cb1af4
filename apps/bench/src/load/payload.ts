import { randomBytes } from 'node:crypto';

/** A document whose JSON text has `bytes` bytes; random letters, so that it does not compress well. */
export function payloadOf(bytes: number): { data: string } {
  const room = Math.max(0, bytes - JSON.stringify({ data: '' }).length);
  return { data: randomBytes(room).toString('base64url').slice(0, room) };
}

/** Body of `POST /api/v1/jobs`. */
export const jobBody = (queue: string, bytes: number): string =>
  JSON.stringify({ queue_name: queue, payload: payloadOf(bytes) });

/** Body of `POST /api/v1/jobs/bulk`. */
export const bulkBody = (queue: string, bytes: number, jobs: number): string =>
  JSON.stringify({ queue_name: queue, jobs: Array.from({ length: jobs }, () => ({ payload: payloadOf(bytes) })) });
