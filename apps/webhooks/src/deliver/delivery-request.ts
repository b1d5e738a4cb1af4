import type { ClaimedDelivery } from '@spooled/data-access';
import { chatMessage } from './message-formats.js';
import { deliveryEnvelope } from '@spooled/domain';
import { signatureOf } from '../callback/signature.js';

export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

interface Call {
  event: string;
  /** From 1. */
  attempt: number;
  secret: string | null;
  body: string;
}

/** The request of the next attempt. `now` in milliseconds. */
export function deliveryRequest(
  delivery: ClaimedDelivery,
  { secret, format }: NonNullable<ClaimedDelivery['target']>,
  now: number,
): DeliveryRequest {
  const { event, data, attempts, webhookId } = delivery;
  const body = chatMessage(format, event, data) ?? deliveryEnvelope(delivery);
  const call = { event, attempt: attempts + 1, secret, body };
  return { headers: webhookId === null ? headersOfCompletion(call, now) : headersOfWebhook(call, now), body };
}

/** Webhooks always carry a timestamp, signed or not. */
export const headersOfWebhook = (call: Call, now: number): Record<string, string> => ({
  ...headersOf(call, 'Spooled-OutgoingWebhook/1.0'),
  'x-spooled-timestamp': String(seconds(now)),
  ...signed(call, now),
});

/** Completion webhooks carry a timestamp only with a signature. */
const headersOfCompletion = (call: Call, now: number): Record<string, string> => ({
  ...headersOf(call, 'Spooled-CompletionWebhook/1.0'),
  ...signed(call, now),
});

const headersOf = ({ event, attempt }: Call, userAgent: string): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': userAgent,
  'x-spooled-event': event,
  'x-spooled-delivery-attempt': String(attempt),
});

const signed = ({ secret, body }: Call, now: number): Record<string, string> =>
  secret === null
    ? {}
    : {
        'x-spooled-timestamp': String(seconds(now)),
        'x-spooled-signature': signatureOf(secret, seconds(now), body),
      };

const seconds = (now: number): number => Math.floor(now / 1000);
