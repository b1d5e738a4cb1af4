import { isUtf8 } from 'node:buffer';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SpooledError } from '@spooled/domain';

/** Deeper documents would overflow the stack of whoever serializes them, PostgreSQL included. */
const deepest = 500;

const [quote, backslash] = [0x22, 0x5c];
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;

/** Whether JSON is nested deeper than `limit`; strings are skipped. */
export function isNestedDeeper(json: Buffer, limit: number): boolean {
  // Each level needs its two brackets.
  if (json.length < 2 * limit) return false;
  let depth = 0;
  for (let i = 0, inString = false; i < json.length; i++) {
    const byte = json[i]!;
    if (inString) {
      if (byte === backslash) i++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (isOpening(byte) && ++depth > limit) return true;
    else if (isClosing(byte)) depth--;
  }
  return false;
}

const invalidJson = (message: string) => new SpooledError('INVALID_JSON', message);

/**
 * Parses a body; an empty one is undefined, because SDKs send the JSON content type with nothing behind it.
 * Members named `__proto__` stay ordinary members: callers' documents are passed on as they are.
 * @throws SpooledError 400 INVALID_JSON
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalidJson('The body is not valid UTF-8');
  if (isNestedDeeper(body, deepest)) throw invalidJson(`The body is nested deeper than ${deepest} levels`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidJson('The body is not valid JSON');
  }
}

/**
 * A body that cannot be read, until a route wants it. Who may not ask learns that first, and who asks too often is counted
 * first (SP-04: limit, credential, then validation); the pipe of the body throws the problem.
 */
export class UnreadableBody {
  constructor(readonly problem: unknown) {}
}

type Done = (error: Error | null, body?: unknown) => void;

function readJson(_request: unknown, body: Buffer, done: Done): void {
  try {
    done(null, parseJson(body));
  } catch (problem) {
    done(null, new UnreadableBody(problem));
  }
}

const refuse = (_request: unknown, _body: Buffer, done: Done): void =>
  done(new SpooledError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json'));

/** JSON and nothing else: form and text bodies, which Nest and Fastify would accept, are refused with 415. */
export function acceptJsonOnly(app: NestFastifyApplication, bodyLimit: number): void {
  app.useBodyParser('application/json', { bodyLimit }, readJson);
  app.useBodyParser('application/x-www-form-urlencoded', { bodyLimit }, refuse);
  app.getHttpAdapter().getInstance().removeContentTypeParser('text/plain');
}
