import type { NestFastifyApplication } from '@nestjs/platform-fastify';

type Done = (error: Error | null, body?: unknown) => void;
const keep = (_request: unknown, body: Buffer, done: Done): void => done(null, body);

/** Hands every body on as the bytes that came, whatever its content type: signatures are over bytes, and come first. */
export function keepBodiesRaw(app: NestFastifyApplication, bodyLimit: number): void {
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    app.useBodyParser(type, { bodyLimit }, keep);
  }
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeContentTypeParser('text/plain');
  fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, keep as never);
}
