import type { JsonText } from '@spooled/contracts';
import { storableText } from '@spooled/domain';
import type { CallbackAnswer } from '../callback/callback-client.js';

/** What an answer means for its job. */
export type PushOutcome =
  | { kind: 'complete'; result: JsonText | null }
  /** `unreachable`: there was no answer. */
  | { kind: 'fail'; error: string; retry: boolean; unreachable?: boolean };

const quotedCharacters = 500;

/**
 * 2xx completes the job. 4xx says that this job can never succeed, and it goes straight to the dead letters (MQ-27); everything
 * else is tried again as the queue says (MQ-17).
 */
export function outcomeOf(answer: CallbackAnswer): PushOutcome {
  const { statusCode, body } = answer;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'complete', result: resultOf(answer) };
  const quoted = storableText(body.slice(0, quotedCharacters)).trim();
  const error = quoted === '' ? `HTTP ${statusCode}` : `HTTP ${statusCode}: ${quoted}`;
  return { kind: 'fail', error, retry: statusCode < 400 || statusCode >= 500 };
}

/** The body as the job's result. Results are objects, as SDKs expect, so what is none stands in a member `body`. */
function resultOf({ body, contentType, truncated }: CallbackAnswer): JsonText | null {
  if (body === '') return null;
  const json = isJson(contentType) && !truncated ? storableJson(body) : null;
  if (json === null) return JSON.stringify({ body: storableText(body), ...(truncated && { truncated: true }) });
  return json.trimStart().startsWith('{') ? json : `{"body":${json}}`;
}

const isJson = (contentType: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);

const surrogateEscape = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

/** The text when it is JSON that PostgreSQL can hold, else null. Parsing it anew could change numbers, so it stays as it came. */
function storableJson(text: string): JsonText | null {
  try {
    const value: unknown = JSON.parse(text);
    const plain = surrogateEscape.test(text) ? JSON.stringify(value) : text;
    return surrogateEscape.test(plain) ? null : plain;
  } catch {
    return null;
  }
}
