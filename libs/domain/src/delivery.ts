const longestWaitMs = 32_000;

export interface DeliveryRetryRule {
  /** Attempts that a delivery may take in all (OUTGOING_WEBHOOK_MAX_ATTEMPTS). */
  maxAttempts: number;
  /** Wait after the first failed attempt; doubles with each further one. */
  firstWaitMs: number;
}

/** A receiver accepts a delivery by any 2xx; everything else, including 4xx, is retried. */
export const isDelivered = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

/** Delay of the next attempt in milliseconds after `attempts` failures (1, 2, 4, 8, 16 s, cap 32 s); null = give up. */
export function deliveryWaitMs(attempts: number, { maxAttempts, firstWaitMs }: DeliveryRetryRule): number | null {
  if (attempts >= maxAttempts) return null;
  return Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs);
}

/**
 * What a webhook is sent about an event, as JSON text.
 * @param delivery `data` is JSON text. It is copied: parsing it could change its numbers.
 */
export function deliveryEnvelope(delivery: { id: string; event: string; createdAt: string; data: string }): string {
  const { id, event, createdAt, data } = delivery;
  const envelope = JSON.stringify({ id, event, created_at: createdAt });
  return `${envelope.slice(0, -1)},"data":${data}}`;
}
