import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp } from '@spooled/platform';
import type { RealtimeService } from './realtime.config.js';
import { RealtimeModule } from './realtime.module.js';

/** The service, ready to listen. */
export async function createRealtime(service: RealtimeService): Promise<NestFastifyApplication> {
  const { version, settings } = service;
  service.answerHealthWith(({ status, checks: { database, cache = false } }) => ({ status, database, cache, version }));
  const app = await createHttpApp(RealtimeModule, service);
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
  return app;
}
