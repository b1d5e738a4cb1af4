import { writeJson } from '../http/json.js';

/** What a value that was thrown says, which may be any value. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    return textOf(thrown);
  } catch {
    return 'A value was thrown that is no text';
  }
}

/** Its name and message, in one line. Never throws. */
export const errorLine = (thrown: unknown): string =>
  (isError(thrown) ? `${thrown.name}: ${messageOf(thrown)}` : messageOf(thrown)).replaceAll('\n', ' ');

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  if (!isError(thrown)) return writeJson(thrown);
  // A connection that was refused at several addresses has no message.
  if (thrown.message === '' && thrown instanceof AggregateError) return thrown.errors.map(messageOf).join('; ');
  const message = String(thrown.message);
  // The message of `fetch` is only 'fetch failed'.
  const cause = isError(thrown.cause) ? messageOf(thrown.cause) : '';
  return message === '' || message.includes(cause) ? message : `${message}: ${cause}`;
}

const isError = (thrown: unknown): thrown is Error => thrown instanceof Error;
