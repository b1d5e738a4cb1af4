import type { AttemptEntry } from '@spooled/data-access';
import { isSecretName } from '@spooled/domain';
import type { CallbackResponse } from '../callback/callback-client.js';
import { codeOf, reasonOf } from '../callback/callback-error.js';

const maxHeaders = 30;
const maxHeaderLength = 256;
const maxBodyBytes = 1_024;
const maxErrorBytes = 512;
const hidden = '[redacted]';

/** What is kept of the response to one attempt: at most 30 headers of 256 characters, without secrets, and 1 KiB of its body. */
export const entryOfResponse = (
  { statusCode, headers, body }: CallbackResponse,
  error: string | null,
  latencyMs: number,
): AttemptEntry => ({
  latency_ms: latencyMs,
  status_code: statusCode,
  response_headers: keptHeaders(headers),
  response_body: cut(body, maxBodyBytes),
  error,
  error_code: null,
});

/** What is kept of an attempt without a response. */
export const entryOfError = (error: unknown, latencyMs: number): AttemptEntry => ({
  latency_ms: latencyMs,
  status_code: null,
  response_headers: {},
  response_body: null,
  error: cut(reasonOf(error), maxErrorBytes),
  error_code: codeOf(error),
});

function keptHeaders(headers: CallbackResponse['headers']): Record<string, string> {
  const kept = Object.entries(headers).slice(0, maxHeaders);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name.slice(0, maxHeaderLength),
      isSecretName(name) ? hidden : String(value).slice(0, maxHeaderLength),
    ]),
  );
}

/** Whole characters, and none that PostgreSQL cannot store. */
const cut = (text: string, maxBytes: number): string =>
  Buffer.from(text).subarray(0, maxBytes).toString('utf8').replaceAll('\0', '\u{fffd}');
