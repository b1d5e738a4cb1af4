import { isUtf8 } from 'node:buffer';
import { SpooledError } from '@spooled/domain';
import { costlyJson } from './json-scan.js';

const invalidJson = (reason: string) =>
  new SpooledError('INVALID_JSON', `The body ${reason}`, { details: { body: reason } });

/**
 * Makes sure that a body may be parsed: it is Unicode, and parsing it takes no longer than `requestLimits` allow.
 * @throws SpooledError 400 INVALID_JSON
 */
export function requireParsable(body: Buffer): void {
  if (!isUtf8(body)) throw invalidJson('is not valid UTF-8');
  const problem = costlyJson(body);
  if (problem) throw invalidJson(problem);
}

/**
 * A body as text that may be parsed.
 * @throws SpooledError 400 INVALID_JSON
 */
export function jsonTextOf(body: Buffer): string {
  requireParsable(body);
  return body.toString('utf8');
}

/**
 * Parses what `jsonTextOf` returned. Members named `__proto__` stay ordinary members: callers' documents are passed on as they are.
 * @throws SpooledError 400 INVALID_JSON
 */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson('is not valid JSON');
  }
}
