import { writeJson } from '../http/json.js';

/** What a value that was thrown says, which may be any value. Never throws. */
export const messageOf = (thrown: unknown): string => messageBelow([], thrown);

/** Its name and message, in one line. Never throws. */
export const errorLine = (thrown: unknown): string =>
  (isError(thrown) ? `${nameOf(thrown)}: ${messageOf(thrown)}` : messageOf(thrown)).replaceAll('\n', ' ');

/** @param above the errors that this one has caused: causes may go round */
function messageBelow(above: readonly unknown[], thrown: unknown): string {
  try {
    return textOf(thrown, [...above, thrown]);
  } catch {
    return 'A value was thrown that is no text';
  }
}

function textOf(thrown: unknown, above: readonly unknown[]): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  if (!isError(thrown)) return String(writeJson(thrown));
  const isNew = (cause: unknown) => !above.includes(cause);
  // A connection that was refused at several addresses has no message.
  if (thrown.message === '' && thrown instanceof AggregateError) {
    const errors: unknown[] = thrown.errors;
    return errors
      .filter(isNew)
      .map((error) => messageBelow(above, error))
      .join('; ');
  }
  const message = String(thrown.message);
  // The message of `fetch` is only 'fetch failed'.
  const cause = isError(thrown.cause) && isNew(thrown.cause) ? messageBelow(above, thrown.cause) : '';
  return message === '' || message.includes(cause) ? message : `${message}: ${cause}`;
}

const nameOf = ({ name }: Error): string => (typeof name === 'string' ? name : 'Error');

const isError = (thrown: unknown): thrown is Error => thrown instanceof Error;
