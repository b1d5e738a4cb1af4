import { createHmac } from 'node:crypto';

/** `sha256=<hex HMAC-SHA256(secret, "<timestamp>.<raw body>")>`; the timestamp is signed to prevent replays. */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
