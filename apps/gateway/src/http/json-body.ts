import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { keepExactDocuments, readShortJson, type ReadJson, restDocuments } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
import { longBodyBytes, readJson as readLongJson } from '@spooled/service';

/** The parsed value of a body, whose documents keep their numbers as they were sent (BX-13). */
function exactValue({ text, value, hasInexactNumbers }: ReadJson): unknown {
  if (hasInexactNumbers) keepExactDocuments(text, value, restDocuments);
  return value;
}

/** Parses a body; an empty one is undefined, because SDKs send the JSON content type without a body. */
const parseBody = (body: Buffer): unknown => (body.length === 0 ? undefined : exactValue(readShortJson(body)));

async function parseLongBody(body: Buffer): Promise<unknown> {
  const value = exactValue(await readLongJson(body));
  await nextTurn();
  return value;
}

/**
 * A body that could not be parsed. The error is thrown only by the validation pipe, because rate limits and authentication come
 * before validation (SP-04).
 */
export class UnreadableBody {
  constructor(readonly problem: unknown) {}
}

type Done = (error: Error | null, body?: unknown) => void;

function readJson(_request: unknown, body: Buffer, done: Done): void {
  if (body.length >= longBodyBytes) return readLong(body, done);
  let parsed: unknown;
  try {
    parsed = parseBody(body);
  } catch (problem) {
    parsed = new UnreadableBody(problem);
  }
  done(null, parsed);
}

function readLong(body: Buffer, done: Done): void {
  void parseLongBody(body).then(
    (value) => done(null, value),
    (problem: unknown) => done(null, new UnreadableBody(problem)),
  );
}

const refuse = (_request: unknown, _body: Buffer, done: Done): void =>
  done(new SpooledError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json'));

/** Accepts JSON bodies only: form and text bodies, which Nest and Fastify accept by default, get 415. */
export function acceptJsonOnly(app: NestFastifyApplication, bodyLimit: number): void {
  app.useBodyParser('application/json', { bodyLimit }, readJson);
  app.useBodyParser('application/x-www-form-urlencoded', { bodyLimit }, refuse);
  app.getHttpAdapter().getInstance().removeContentTypeParser('text/plain');
}
