import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { requestLimits } from '@spooled/contracts';
import { addressBlock } from '@spooled/domain';
import { AddressLimits, admitRequests, createHttpService } from '@spooled/service';
import { keepBodiesRaw } from './http/raw-bodies.js';
import { admitWebhook } from './ingest/ingesting-route.js';
import { IngestionService } from './ingest/ingestion.service.js';
import type { WebhooksService } from './webhooks.config.js';
import { WebhooksModule } from './webhooks.module.js';

/** Limit SP-97; a job's payload may have less. */
const { bodyBytes: bodyLimitBytes } = requestLimits;

/** The service, ready to listen. */
export async function createWebhooks(service: WebhooksService): Promise<NestFastifyApplication> {
  const app = await createHttpService(WebhooksModule, service, {
    bodyLimitBytes,
    bodies: {
      maxBytes: service.settings.HTTP_MAX_BODY_BYTES_IN_FLIGHT,
      ownerOf: ({ admitted }) => ({ name: admitted ? addressBlock(admitted.address) : 'internal', weight: 1 / 3 }),
      onRefused: () => service.metrics.requestsShed.inc({ protocol: 'rest', reason: 'body_bytes' }),
    },
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('admitted', null);
  const ingestion = app.get(IngestionService);
  admitRequests(fastify, app.get(AddressLimits), {
    policy: (request, reply) => admitWebhook(ingestion, request, reply),
  });
  keepBodiesRaw(app, bodyLimitBytes);
  return app;
}
