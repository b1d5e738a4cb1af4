import { isUtf8 } from 'node:buffer';
import { SpooledError } from '@spooled/domain';
import { scanJson } from './json-scan.js';

const invalidJson = (reason: string) =>
  new SpooledError('INVALID_JSON', `The body ${reason}`, { details: { body: reason } });

/** A body as it came, and what it says. */
export interface ReadJson {
  text: string;
  /** Numbers are doubles. */
  value: unknown;
  /** Whether some of its numbers may be written differently by `JSON.stringify`. */
  hasInexactNumbers: boolean;
}

/**
 * Makes sure that a body may be parsed: it is Unicode, and parsing it takes no longer than `requestLimits` allow.
 * @throws SpooledError 400 INVALID_JSON
 */
export function requireParsable(body: Buffer): Pick<ReadJson, 'hasInexactNumbers'> {
  if (!isUtf8(body)) throw invalidJson('is not valid UTF-8');
  const { problem, hasInexactNumbers } = scanJson(body);
  if (problem) throw invalidJson(problem);
  return { hasInexactNumbers };
}

/**
 * Parses a body that `requireParsable` has accepted. Members named `__proto__` stay ordinary members: callers' documents are passed
 * on as they are.
 * @throws SpooledError 400 INVALID_JSON
 */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson('is not valid JSON');
  }
}

/** Reads a short body; long ones must not be read in one turn of the event loop. @throws SpooledError 400 INVALID_JSON */
export function readShortJson(body: Buffer): ReadJson {
  const { hasInexactNumbers } = requireParsable(body);
  const text = body.toString('utf8');
  return { text, value: parseJsonText(text), hasInexactNumbers };
}
