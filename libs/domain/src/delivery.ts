/** Attempts with fixed waits. A delivery that needs more is `failed`, and is still retried. */
export const firstDeliveryAttempts = 5;
const longestFirstWaitMs = 32_000;
const longestWaitMs = 4 * 3_600_000;
/** Share of a later wait that is random, so that what failed together is not retried together. */
const jitterShare = 0.2;

export interface DeliveryRetryRule {
  /** Attempts that a delivery may take in all (OUTGOING_WEBHOOK_MAX_ATTEMPTS). */
  maxAttempts: number;
  /** Wait after the first failed attempt; doubles with each further one. */
  firstWaitMs: number;
  /** How long a delivery is retried after its first attempts. */
  retrySeconds: number;
}

/** A receiver accepts a delivery by any 2xx; everything else, including 4xx, is retried. */
export const isDelivered = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

/**
 * Delay of the next attempt in milliseconds after `attempts` failures; null = give up. The first waits are 1, 2, 4 and
 * 8 s. Later ones continue doubling up to 4 h, with jitter, until the delivery is `retrySeconds` old; the last attempt is made then.
 * @param delivery isProbe: it was sent to see whether the receiver of held deliveries responds again; it is held on, however often that was
 * @param random from [0, 1)
 */
export function deliveryWaitMs(
  { attempts, ageSeconds, isProbe }: { attempts: number; ageSeconds: number; isProbe: boolean },
  { maxAttempts, firstWaitMs, retrySeconds }: DeliveryRetryRule,
  random: number,
): number | null {
  const isHeldOn = isProbe && retrySeconds > 0 && maxAttempts > firstDeliveryAttempts;
  if (attempts >= maxAttempts && !isHeldOn) return null;
  const waitMs = firstWaitMs * 2 ** (attempts - 1);
  if (attempts < firstDeliveryAttempts || isHeldOn) return Math.min(waitMs, longestFirstWaitMs);
  const leftMs = (retrySeconds - ageSeconds) * 1000;
  if (leftMs <= 0) return null;
  return Math.min(Math.round(Math.min(waitMs, longestWaitMs) * (1 + jitterShare * random)), leftMs);
}

/** A delivery that has had so many attempts in all is sent again by hand only so often. */
export const manualDeliveryLimits = { maxAttempts: 10, maxRetries: 5 };

/** Deliveries of a webhook that fail in a row before the others are held: then its receiver is likely to be down. */
export const holdAfterFailures = 10;

/** Waits between probes of a webhook whose deliveries are held; they double from the first to the longest. */
export const probeWaits = { firstSeconds: 10, longestSeconds: 60 };

/** When a webhook that continues failing is disabled. */
export const disablesAt = (failingSince: string, disableAfterSeconds: number): string =>
  new Date(Date.parse(failingSince) + disableAfterSeconds * 1000).toISOString();

/** An event as a webhook is sent it. `data` is JSON text, which envelopes copy: parsing it could change its numbers. */
export interface SentEvent {
  /** Of the delivery. */
  id: string;
  event: string;
  createdAt: string;
  data: string;
}

/** The json envelope, JSON text. */
export const deliveryEnvelope = ({ id, event, createdAt, data }: SentEvent): string =>
  withData({ id, event, created_at: createdAt }, data);

/** The body that Standard Webhooks 1.0 recommends, JSON text. The id is in a header. */
export const standardEnvelope = ({ event, createdAt, data }: SentEvent): string =>
  withData({ type: event, timestamp: createdAt }, data);

/** A CloudEvent 1.0 in structured mode, JSON text. @param source a URI reference of the sender */
export const cloudEvent = ({ id, event, createdAt, data }: SentEvent, source: string): string =>
  withData({ specversion: '1.0', id, source, type: event, time: createdAt, datacontenttype: 'application/json' }, data);

const withData = (members: object, data: string): string => `${JSON.stringify(members).slice(0, -1)},"data":${data}}`;
