import { exactDocument, type JsonText, requireParsable } from '@spooled/contracts';
import { storableText } from '@spooled/domain';
import type { CallbackResponse } from '../callback/callback-client.js';

/** The outcome of a job by its response. */
export type PushOutcome =
  | { kind: 'complete'; result: JsonText | null }
  /** `unreachable`: there was no response. */
  | { kind: 'fail'; error: string; retry: boolean; unreachable?: boolean };

const maxQuotedCharacters = 500;

/**
 * 2xx completes the job. 4xx means that it can never succeed: dead letter (MQ-27). Everything else is retried as the
 * queue configures (MQ-17).
 */
export function outcomeOf(response: CallbackResponse): PushOutcome {
  const { statusCode, body } = response;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'complete', result: resultOf(response) };
  const quoted = storableText(body.slice(0, maxQuotedCharacters)).trim();
  const error = quoted === '' ? `HTTP ${statusCode}` : `HTTP ${statusCode}: ${quoted}`;
  return { kind: 'fail', error, retry: statusCode < 400 || statusCode >= 500 };
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
