import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { addressBlock } from '@spooled/domain';
import { requestLimits, type healthSchemas } from '@spooled/contracts';
import { AppLogger, createHttpApp, type HealthReport } from '@spooled/platform';
import { AddressLimits } from '@spooled/service';
import { ErrorFilter } from './http/error.filter.js';
import { admitRequests } from './http/admit-requests.js';
import { keepBodiesRaw } from './http/raw-bodies.js';
import { IngestionService } from './ingest/ingestion.service.js';
import type { WebhooksService } from './stores/open-stores.js';
import { WebhooksModule } from './webhooks.module.js';

/** Limit SP-97; a job's payload may have less. */
const { bodyBytes: bodyLimitBytes } = requestLimits;

/** The service, ready to listen. */
export async function createWebhooks(service: WebhooksService): Promise<NestFastifyApplication> {
  service.answerHealthWith((report) => healthBody(report, service.version));
  const app = await createHttpApp(WebhooksModule, service, {
    bodyLimitBytes,
    bodies: {
      maxBytes: service.settings.HTTP_MAX_BODY_BYTES_IN_FLIGHT,
      ownerOf: ({ admitted }) => ({ name: admitted ? addressBlock(admitted.address) : 'internal', share: 1 / 4 }),
    },
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('x-api-version', '1');
    done();
  });
  admitRequests(fastify, app.get(IngestionService), app.get(AddressLimits));
  keepBodiesRaw(app, bodyLimitBytes);
  app.useGlobalFilters(new ErrorFilter(app.get(AppLogger)));
  return app;
}

const healthBody = ({ status, checks }: HealthReport, version: string): healthSchemas.Health => ({
  status,
  database: checks.database === true,
  cache: checks.cache === true,
  version,
});
