import { createHmac } from 'node:crypto';

/** `sha256=<hex HMAC-SHA256(secret, "<timestamp>.<raw body>")>`; the time is signed so that an old call cannot be replayed. */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
