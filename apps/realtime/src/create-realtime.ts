import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { acceptConsoleCookies, AddressLimits, admitRequests, createHttpService } from '@spooled/service';
import type { RealtimeService } from './realtime.config.js';
import { RealtimeModule } from './realtime.module.js';

/** Pages of other origins read streams with fetch or EventSource, also where an ingress leads past the gateway. */
const cors = {
  methods: ['GET', 'OPTIONS'],
  allowedHeaders: ['authorization', 'x-api-key', 'x-request-id', 'x-organization-id', 'cache-control', 'last-event-id'],
  exposedHeaders: [
    'x-request-id',
    'x-api-version',
    'retry-after',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-scope',
  ],
};

/** The service, ready to listen. */
export async function createRealtime(service: RealtimeService): Promise<NestFastifyApplication> {
  const app = await createHttpService(RealtimeModule, service, {
    cors,
    webSockets: true,
    bodies: {
      maxBytes: service.settings.HTTP_MAX_BODY_BYTES_IN_FLIGHT,
      ownerOf: ({ socket }) => ({ name: socket.remoteAddress ?? 'unknown', weight: 1 / 3 }),
    },
  });
  const fastify = app.getHttpAdapter().getInstance();
  acceptConsoleCookies(fastify, service.settings);
  admitRequests(fastify, app.get(AddressLimits));
  return app;
}
