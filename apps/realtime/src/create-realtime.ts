import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { notFound } from '@spooled/domain';
import { createHttpApp } from '@spooled/platform';
import { AddressLimits } from '@spooled/service';
import type { RealtimeService } from './realtime.config.js';
import { RealtimeModule } from './realtime.module.js';

/** The service, ready to listen. */
export async function createRealtime(service: RealtimeService): Promise<NestFastifyApplication> {
  const { version, settings } = service;
  service.answerHealthWith(({ status, checks: { database, cache = false } }) => ({ status, database, cache, version }));
  const app = await createHttpApp(RealtimeModule, service, {
    bodies: {
      maxBytes: service.settings.HTTP_MAX_BODY_BYTES_IN_FLIGHT,
      ownerOf: ({ socket }) => ({ name: socket.remoteAddress ?? 'unknown', share: 1 / 4 }),
    },
  });
  // Screens of other origins read streams with fetch or EventSource, also where an ingress leads past the gateway.
  app.enableCors({
    origin: settings.RUST_ENV === 'production' ? [...settings.CORS_ALLOWED_ORIGINS] : true,
    methods: ['GET', 'OPTIONS'],
    allowedHeaders: [
      'authorization',
      'x-api-key',
      'x-request-id',
      'x-organization-id',
      'cache-control',
      'last-event-id',
    ],
    exposedHeaders: ['x-request-id', 'x-api-version', 'retry-after'],
    maxAge: 600,
  });
  const addresses = app.get(AddressLimits);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async ({ is404, headers, socket }) => {
      if (!is404) return;
      await addresses.check({ address: addresses.addressOf(headers, socket.remoteAddress) });
      // Before the body of such a request is read.
      throw notFound('Route');
    });
  return app;
}
