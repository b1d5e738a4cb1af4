import { createHmac, timingSafeEqual } from 'node:crypto';

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** The value of `X-Hub-Signature-256` for a body, as GitHub computes it. */
export const githubSignature = (body: string, secret: string): string => `sha256=${hmac(secret, body)}`;

/** The value of `Stripe-Signature` for a body. `timestamp` in Unix seconds. */
export function stripeSignature(body: string, secret: string, timestamp = Math.floor(Date.now() / 1000)): string {
  return `t=${timestamp},v1=${hmac(secret, `${timestamp}.${body}`)}`;
}

/**
 * The headers of Standard Webhooks for a body.
 * @param secret `whsec_` and the key in Base64
 * @param timestamp Unix seconds
 */
export function standardHeaders(body: string, secret: string, id: string, timestamp = Math.floor(Date.now() / 1000)) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

/** As `request.headers` of Node.js and `Headers.get` have it. Several count as none. */
type Header = string | string[] | null | undefined;

export interface ReceivedWebhook {
  /** The raw body, before any parsing. */
  body: string;
  /** The header `X-Spooled-Signature`. */
  signature: Header;
  /** The header `X-Spooled-Signature-Next`, which calls have while the secret changes. Without it the new secret is not accepted yet. */
  nextSignature?: Header;
  /** The header `X-Spooled-Timestamp`. */
  timestamp: Header;
  secret: string;
  /** Maximum age in seconds; older calls count as replayed. @default 300 */
  toleranceSeconds?: number;
}

/** Verifies a received webhook: whether its signature is valid and its timestamp recent. */
export function verifyWebhook({
  body,
  signature,
  nextSignature,
  timestamp,
  secret,
  toleranceSeconds = 300,
}: ReceivedWebhook): boolean {
  if (typeof timestamp !== 'string' || !/^\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const expected = Buffer.from(`sha256=${hmac(secret, `${timestamp}.${body}`)}`);
  return [signature, nextSignature].some((one) => {
    const given = Buffer.from(typeof one === 'string' ? one : '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
