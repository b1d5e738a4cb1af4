import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { standardSecretProblem } from '@spooled/domain';
import { standardSignature } from '../callback/signature.js';

const stripeMaxAgeSeconds = 300;
const stripeMaxFutureSeconds = 60;
const standardToleranceSeconds = 300;
/** Signatures of a header that are compared. Senders send two while a secret changes; 16 KB have room for thousands, of two hashes each. */
const mostSignatures = 20;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Constant-time comparison that does not reveal lengths either. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(expected));

const hmac = (secret: string, ...parts: (string | Buffer)[]): string =>
  parts.reduce((sum, part) => sum.update(part), createHmac('sha256', secret)).digest('hex');

/** `X-Hub-Signature-256: sha256=<hex HMAC-SHA256(secret, raw body)>` (SP-54). */
export function isGithubSignature(header: string, secret: string, rawBody: Buffer): boolean {
  return isSameSecret(header.toLowerCase(), `sha256=${hmac(secret, rawBody)}`);
}

/**
 * `Stripe-Signature: t=<unix>,v1=<hex>[,v1=…]`, hex = HMAC-SHA256(secret, "<t>.<raw body>") (SP-55). During a secret
 * rotation there are several `v1`; one of them must match. Timestamps older than 5 minutes are rejected, to prevent
 * replays. `now` in seconds.
 */
export function isStripeSignature(header: string, secret: string, rawBody: Buffer, now: number): boolean {
  const fields = header.split(',').map((field) => field.trim().split('=', 2) as [string, string?]);
  const timestamp = fields.find(([name]) => name === 't')?.[1];
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  const age = now - Number(timestamp);
  if (age > stripeMaxAgeSeconds || age < -stripeMaxFutureSeconds) return false;
  const expected = hmac(secret, `${timestamp}.`, rawBody);
  const signatures = fields.filter(([name]) => name === 'v1').slice(0, mostSignatures);
  return signatures.some(([, value = '']) => isSameSecret(value.toLowerCase(), expected));
}

/** The headers of a call by Standard Webhooks. */
export interface StandardHeaders {
  id: string;
  timestamp: string;
  /** `v1,<Base64>`, several separated by spaces while the sender's secret changes. */
  signature: string;
}

/**
 * Standard Webhooks 1.0 (BX-37): HMAC-SHA256 of `<id>.<timestamp>.<raw body>` by a secret of `whsec_`. Timestamps that differ from `now`
 * by more than 5 minutes are rejected, to prevent replays. Versions other than `v1` are ignored. `now` in seconds.
 */
export function isStandardSignature(
  { id, timestamp, signature }: StandardHeaders,
  secret: string,
  rawBody: Buffer,
  now: number,
): boolean {
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || standardSecretProblem(secret) !== null) return false;
  if (Math.abs(now - Number(timestamp)) > standardToleranceSeconds) return false;
  const expected = standardSignature(secret, { id, timestamp, body: rawBody });
  return signature.split(' ', mostSignatures).some((given) => isSameSecret(given, expected));
}
