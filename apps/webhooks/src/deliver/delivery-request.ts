import { createHmac } from 'node:crypto';
import type { HeldDelivery } from '@spooled/data-access';

export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

/** `sha256=<hex HMAC-SHA256(secret, "<timestamp>.<raw body>")>`; the time is signed so that an old call cannot be replayed. */
export const signDelivery = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** The request of the next attempt. `now` in milliseconds. */
export function deliveryRequest(
  delivery: HeldDelivery,
  target: NonNullable<HeldDelivery['target']>,
  now: number,
): DeliveryRequest {
  const { id, event, createdAt, data, attempts, webhookId } = delivery;
  // The data goes out as the text that was stored: parsing it anew could change a caller's numbers.
  const envelope = JSON.stringify({ id, event, created_at: createdAt });
  const body = `${envelope.slice(0, -1)},"data":${data}}`;
  const timestamp = Math.floor(now / 1000);
  const ofWebhook = webhookId !== null;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': ofWebhook ? 'Spooled-OutgoingWebhook/1.0' : 'Spooled-CompletionWebhook/1.0',
    'x-spooled-event': event,
    'x-spooled-delivery-attempt': String(attempts + 1),
  };
  if (ofWebhook || target.secret) headers['x-spooled-timestamp'] = String(timestamp);
  if (target.secret) headers['x-spooled-signature'] = signDelivery(target.secret, timestamp, body);
  return { headers, body };
}
