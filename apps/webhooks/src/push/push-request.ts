import type { ClaimedJob } from '@spooled/contracts';
import type { PushTarget } from '@spooled/domain';
import { signatureOf } from '../callback/signature.js';

/**
 * The call that does a job: its payload as it was stored, so that receivers need to know nothing of us; what they may want to know
 * stands in headers. `now` in milliseconds.
 */
export function pushRequest(
  { id, queueName, payload, retryCount, maxRetries }: ClaimedJob,
  { secret }: Pick<PushTarget, 'secret'>,
  now: number,
  traceparent: string | null,
): { headers: Record<string, string>; body: string } {
  const timestamp = Math.floor(now / 1000);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Spooled-Push/1.0',
    'x-spooled-job-id': id,
    // Names of queues may hold letters that no header can.
    'x-spooled-queue': encodeURIComponent(queueName),
    'x-spooled-attempt': String(retryCount + 1),
    'x-spooled-max-attempts': String(maxRetries + 1),
    'x-spooled-timestamp': String(timestamp),
  };
  if (secret) headers['x-spooled-signature'] = signatureOf(secret, timestamp, payload);
  if (traceparent) headers.traceparent = traceparent;
  return { headers, body: payload };
}
