import type { ClaimedJob } from '@spooled/contracts';
import type { PushTarget } from '@spooled/domain';
import { signatureOf } from '../callback/signature.js';

/** The request of a job: its payload as stored as the body, and metadata in headers. `now` in milliseconds. */
export function pushRequest(
  { id, queueName, payload, retryCount, maxRetries }: ClaimedJob,
  { secret, headers: own }: Pick<PushTarget, 'secret' | 'headers'>,
  now: number,
  traceparent: string | null,
): { headers: Record<string, string>; originHeaders: Record<string, string>; body: string } {
  const timestamp = Math.floor(now / 1000);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Spooled-Push/1.0',
    'x-spooled-job-id': id,
    // Queue names may contain characters that headers cannot.
    'x-spooled-queue': encodeURIComponent(queueName),
    'x-spooled-attempt': String(retryCount + 1),
    'x-spooled-max-attempts': String(maxRetries + 1),
    'x-spooled-timestamp': String(timestamp),
  };
  if (secret) headers['x-spooled-signature'] = signatureOf(secret, timestamp, payload);
  if (traceparent) headers.traceparent = traceparent;
  return { headers, originHeaders: own, body: payload };
}
