import { createHmac } from 'node:crypto';
import { standardSecretPrefix } from '@spooled/domain';

/** `sha256=<hex HMAC-SHA256(secret, "<timestamp>.<raw body>")>`; the timestamp is signed to prevent replays. */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/**
 * `v1,<Base64 HMAC-SHA256(key, "<id>.<timestamp>.<raw body>")>` of Standard Webhooks 1.0.
 * @param secret `whsec_` and the key in Base64
 */
export function standardSignature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number | string; body: string | Buffer },
): string {
  const key = Buffer.from(secret.slice(standardSecretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
