import { Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { parsePlanOverrides } from '@spooled/domain';
import { SERVICE } from '@spooled/platform';
import { CommandPath } from '@spooled/queue';
import { openRateLimiter } from '@spooled/stores';
import type { RedisCredentialCache, RedisShards } from '@spooled/transport';
import type { WebhooksService } from '../stores/open-stores.js';
import { CHANGES, REDIS } from '../stores/stores.module.js';
import { IngestionController } from './ingestion.rest.js';
import { IngestionService } from './ingestion.service.js';
import { Receivers } from './receivers.js';

function createIngestion(
  service: WebhooksService,
  receivers: Receivers,
  path: CommandPath,
  redis: RedisShards | null,
): IngestionService {
  const { settings, metrics, logger } = service;
  const limiter = openRateLimiter(redis, settings);
  return new IngestionService(receivers, path, limiter, metrics, logger, {
    planOverrides: parsePlanOverrides(process.env),
    githubSecret: settings.GITHUB_WEBHOOK_SECRET,
    stripeSecret: settings.STRIPE_WEBHOOK_SECRET,
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
      useFactory: (db: Database, changes: RedisCredentialCache | null) => new Receivers(db, changes),
      inject: [Database, CHANGES],
    },
    { provide: IngestionService, useFactory: createIngestion, inject: [SERVICE, Receivers, CommandPath, REDIS] },
  ],
})
export class IngestModule {}
