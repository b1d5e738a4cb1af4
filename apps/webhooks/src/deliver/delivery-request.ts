import type { ClaimedDelivery, WebhookTarget } from '@spooled/data-access';
import { type SentEvent, standardSecretProblem } from '@spooled/domain';
import { signatureOf, standardSignature } from '../callback/signature.js';
import { messageOf, type Message } from './message-formats.js';

export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

/** One attempt to send a message. */
interface Call extends Message {
  /** Of the delivery, the same at each attempt. */
  id: string;
  event: string;
  /** From 1. */
  attempt: number;
}

/** The request of the next attempt. `now` in milliseconds. */
export function deliveryRequest(delivery: ClaimedDelivery, target: WebhookTarget, now: number): DeliveryRequest {
  const { attempts, webhookId } = delivery;
  const call = callOf(delivery, target, attempts + 1);
  const headers = webhookId === null ? headersOfCompletion(call, target, now) : headersOfWebhook(call, target, now);
  return { headers, body: call.body };
}

export const callOf = (
  event: SentEvent & { organizationId: string },
  { format }: WebhookTarget,
  attempt: number,
): Call => ({
  id: event.id,
  event: event.event,
  attempt,
  ...messageOf(format, event),
});

/** Webhooks always carry a timestamp, signed or not. */
export function headersOfWebhook(call: Call, target: WebhookTarget, now: number): Record<string, string> {
  const headers = headersOf(call, 'Spooled-OutgoingWebhook/1.0');
  if (target.format === 'standard') return { ...headers, ...standardHeaders(call, target, now) };
  return { ...headers, 'x-spooled-timestamp': String(seconds(now)), ...signed(call, target, now) };
}

/** Completion webhooks carry a timestamp only with a signature. */
const headersOfCompletion = (call: Call, target: WebhookTarget, now: number): Record<string, string> => ({
  ...headersOf(call, 'Spooled-CompletionWebhook/1.0'),
  ...signed(call, target, now),
});

const headersOf = ({ event, attempt, contentType }: Call, userAgent: string): Record<string, string> => ({
  'content-type': contentType,
  'user-agent': userAgent,
  'x-spooled-event': event,
  'x-spooled-delivery-attempt': String(attempt),
});

/**
 * During a rotation the signature stays that of the previous secret, which receivers have; that of the new one is in a header of its
 * own. A list in one header would break receivers that compare it as a whole.
 */
function signed({ body }: Call, { secret, previousSecret }: WebhookTarget, now: number): Record<string, string> {
  if (secret === null) return {};
  const timestamp = seconds(now);
  return {
    'x-spooled-timestamp': String(timestamp),
    'x-spooled-signature': signatureOf(previousSecret ?? secret, timestamp, body),
    ...(previousSecret !== null && { 'x-spooled-signature-next': signatureOf(secret, timestamp, body) }),
  };
}

/** One signature by each secret, the current one first. A previous one of another format has none. */
function standardHeaders(
  { id, body }: Call,
  { secret, previousSecret }: WebhookTarget,
  now: number,
): Record<string, string> {
  const timestamp = seconds(now);
  const secrets = [secret, previousSecret].filter((one) => one !== null && standardSecretProblem(one) === null);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((one) => standardSignature(one!, { id, timestamp, body })).join(' '),
  };
}

const seconds = (now: number): number => Math.floor(now / 1000);
