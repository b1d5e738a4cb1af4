import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { jsonTextOf, parseJsonText } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { longBodyBytes, readLongJson } from '@spooled/service';

/** Parses a body; an empty one is undefined, because SDKs send the JSON content type without a body. */
const parseBody = (body: Buffer): unknown => (body.length === 0 ? undefined : parseJsonText(jsonTextOf(body)));

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
  void readLongJson(body).then(
    ({ value }) => done(null, value),
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
