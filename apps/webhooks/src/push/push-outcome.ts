import { exactDocument, type JsonText, requireParsable } from '@spooled/contracts';
import { storableText } from '@spooled/domain';
import type { CallbackResponse } from '../callback/callback-client.js';

/** The outcome of a job by its response. */
export type PushOutcome =
  | { kind: 'complete'; result: JsonText | null }
  /** `unreachable`: there was no response. `minDelayMs`: how long the receiver asks to wait. */
  | { kind: 'fail'; error: string; retry: boolean; unreachable?: boolean; minDelayMs?: number };

const maxQuotedCharacters = 500;
/** Receivers may postpone a retry by an hour at most, the longest delay of the default backoff. */
const maxRetryAfterMs = 3_600_000;
/** Request timeout, too early, too many requests: the same request may succeed later. */
const temporary = new Set([408, 425, 429]);

/**
 * 2xx completes the job. 4xx means that it can never succeed: dead letter (MQ-27). Everything else, and 408, 425 and 429, is retried as
 * the queue configures (MQ-17), not sooner than Retry-After asks.
 */
export function outcomeOf(response: CallbackResponse, now: number): PushOutcome {
  const { statusCode, body } = response;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'complete', result: resultOf(response) };
  const quoted = storableText(body.slice(0, maxQuotedCharacters)).trim();
  const error = quoted === '' ? `HTTP ${statusCode}` : `HTTP ${statusCode}: ${quoted}`;
  if (statusCode >= 400 && statusCode < 500 && !temporary.has(statusCode)) return { kind: 'fail', error, retry: false };
  const minDelayMs = retryAfterMs(response.retryAfter, now);
  return { kind: 'fail', error, retry: true, ...(minDelayMs > 0 && { minDelayMs }) };
}

/** From seconds or an HTTP date; 0 for anything else. */
function retryAfterMs(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}

/** The body as the job's result. SDKs expect an object, so any other body is wrapped in a member `body`. */
function resultOf({ body, contentType, truncated }: CallbackResponse): JsonText | null {
  if (body === '') return null;
  const json = isJson(contentType) && !truncated ? storableJson(body) : null;
  if (json === null) return JSON.stringify({ body: storableText(body), ...(truncated && { truncated: true }) });
  return json.trimStart().startsWith('{') ? json : `{"body":${json}}`;
}

const isJson = (contentType: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);

const surrogateEscape = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

/**
 * The text if it is JSON within the bounds of every other result and PostgreSQL can store it, else null. It is stored unchanged: parsing it
 * could change numbers.
 */
function storableJson(text: string): JsonText | null {
  try {
    // PostgreSQL refuses what is nested 30,000 levels deep.
    const { hasInexactNumbers } = requireParsable(Buffer.from(text));
    const value: unknown = JSON.parse(text);
    if (hasInexactNumbers && exactDocument(text, value).problem) return null;
    const plain = surrogateEscape.test(text) ? JSON.stringify(value) : text;
    return surrogateEscape.test(plain) ? null : plain;
  } catch {
    return null;
  }
}
