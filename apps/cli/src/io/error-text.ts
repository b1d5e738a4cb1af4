import { NetworkError, SpooledError } from '@spooled/sdk';
import { Incomplete, OfSeveral } from '../errors.js';
import { printable } from './printable.js';

/** What went wrong, in one sentence that names the field. Keys are never part of it. */
export const sentenceOf = (error: unknown): string => shownText(textOf(error)).replace(/\.?$/, '.');

function textOf(error: unknown): string {
  if (error instanceof Incomplete) return `${sentenceOf(error.cause)} Before that: ${error.done}`;
  if (error instanceof OfSeveral) return `${error.of}: ${textOf(error.cause)}`;
  if (error instanceof NetworkError) return `${error.message}${reasonOf(error)}; "spooled doctor" finds the reason`;
  if (error instanceof SpooledError) return `${error.message}${fieldsOf(error)}${waitOf(error)}`;
  return error instanceof Error ? error.message : String(error);
}

/** `fetch failed` alone says nothing. */
function reasonOf(error: NetworkError): string {
  let cause: unknown = error.cause;
  while ((cause as Error | undefined)?.cause) cause = (cause as Error).cause;
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
  const reason = code ?? message;
  return reason && !error.message.includes(reason) ? ` (${reason})` : '';
}

/** Problems by field, where the message does not name them. */
function fieldsOf({ message, details }: SpooledError): string {
  const fields = Object.entries(details).filter(([name]) => !message.includes(name));
  return fields.map(([name, problem], i) => `${i === 0 ? ': ' : ', '}${name} ${String(problem)}`).join('');
}

const waitOf = ({ retryAfter }: SpooledError): string => (retryAfter === null ? '' : `; retry after ${retryAfter} s`);

/** A message on one line, without keys, which may be among the arguments that it quotes. */
export const shownText = (text: string): string => printable(withoutKeys(text));

const withoutKeys = (text: string): string => text.replace(/\b(s[kp]_)[\w-]+/g, '$1…');
