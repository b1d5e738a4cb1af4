import { RouteConfig, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { exactDocument, keepExactDocuments, readShortJson, type ReadJson, restDocuments } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
import type { FastifyRequest } from 'fastify';
import { longBodyBytes, readJson as readLongJson } from '@spooled/service';

interface BodyConfig {
  isDocument?: boolean;
}

/** The whole body of the route is a document of the caller. */
export const DocumentBody = () => RouteConfig({ isDocument: true } satisfies BodyConfig);

/** The parsed value of a body, whose documents keep their numbers as they were sent (BX-13). */
function exactValue({ text, value, hasInexactNumbers }: ReadJson, { isDocument }: BodyConfig): unknown {
  if (hasInexactNumbers && isDocument) return exactDocument(text, value);
  if (hasInexactNumbers) keepExactDocuments(text, value, restDocuments);
  return value;
}

/** Parses a body; an empty one is undefined, because SDKs send the JSON content type without a body. */
const parseBody = (body: Buffer, config: BodyConfig): unknown =>
  body.length === 0 ? undefined : exactValue(readShortJson(body), config);

async function parseLongBody(body: Buffer, config: BodyConfig): Promise<unknown> {
  const value = exactValue(await readLongJson(body), config);
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

function readJson({ routeOptions }: FastifyRequest, body: Buffer, done: Done): void {
  const config = routeOptions.config as BodyConfig;
  if (body.length >= longBodyBytes) return readLong(body, config, done);
  let parsed: unknown;
  try {
    parsed = parseBody(body, config);
  } catch (problem) {
    parsed = new UnreadableBody(problem);
  }
  done(null, parsed);
}

function readLong(body: Buffer, config: BodyConfig, done: Done): void {
  void parseLongBody(body, config).then(
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
