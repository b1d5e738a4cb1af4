import { Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { parsePlanOverrides } from '@spooled/domain';
import { SERVICE } from '@spooled/platform';
import { CommandPath } from '@spooled/queue';
import { AddressLimits, openCredentialFeed } from '@spooled/service';
import { RateLimits, type RedisCredentialCache } from '@spooled/transport';
import type { WebhooksService } from '../stores/open-stores.js';
import { CHANGES } from '../stores/stores.module.js';
import { isProduction } from '../webhooks.config.js';
import { IngestionAdmission } from './ingestion-admission.js';
import { IngestionController } from './ingestion.controller.js';
import { IngestionService } from './ingestion.service.js';
import { Receivers } from './receivers.js';

function createIngestion(
  service: WebhooksService,
  admission: IngestionAdmission,
  path: CommandPath,
  limiter: RateLimits,
): IngestionService {
  const { settings, metrics, logger } = service;
  return new IngestionService(admission, path, limiter, metrics, logger, {
    planOverrides: parsePlanOverrides(process.env),
    maxPayloadBytes: settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES,
    commandTimeoutMs: settings.COMMAND_TIMEOUT_MS,
    defaults: {
      maxRetries: settings.QUEUE_DEFAULT_MAX_RETRIES,
      timeoutSeconds: settings.QUEUE_DEFAULT_TIMEOUT_SECS,
    },
  });
}

/** Webhooks of other systems on their way in: verify, then enqueue. */
@Module({
  controllers: [IngestionController],
  providers: [
    {
      provide: Receivers,
      useFactory: (service: WebhooksService, db: Database, changes: RedisCredentialCache | null) =>
        new Receivers(db, changes, openCredentialFeed(service, db)),
      inject: [SERVICE, Database, CHANGES],
    },
    {
      provide: IngestionAdmission,
      useFactory: ({ settings }: WebhooksService, receivers: Receivers, addresses: AddressLimits) =>
        new IngestionAdmission(receivers, addresses, {
          httpsOnly: isProduction(settings),
          githubSecret: settings.GITHUB_WEBHOOK_SECRET,
          stripeSecret: settings.STRIPE_WEBHOOK_SECRET,
        }),
      inject: [SERVICE, Receivers, AddressLimits],
    },
    {
      provide: IngestionService,
      useFactory: createIngestion,
      inject: [SERVICE, IngestionAdmission, CommandPath, RateLimits],
    },
  ],
})
export class IngestModule {}
