import { Module } from '@nestjs/common';
import { CredentialFeed, Database } from '@spooled/data-access';
import type { PlanOverrides } from '@spooled/domain';
import { isProduction, SERVICE } from '@spooled/platform';
import {
  AddressLimits,
  Commands,
  jobDefaults,
  PayloadContracts,
  PLAN_OVERRIDES,
  PlansModule,
  provider,
  SHARED_CREDENTIALS,
} from '@spooled/service';
import { RateLimits, type RedisCredentialCache } from '@spooled/transport';
import type { WebhooksService } from '../webhooks.config.js';
import { IngestionAdmission } from './ingestion-admission.js';
import { IngestionController } from './ingestion.controller.js';
import { IngestionService } from './ingestion.service.js';
import { Receivers } from './receivers.js';
import { RefusalLog } from './refusal-log.js';

const openReceivers = (db: Database, changes: RedisCredentialCache | null, feed: CredentialFeed): Receivers =>
  new Receivers(db, changes, feed);

const openAdmission = (
  { settings }: WebhooksService,
  receivers: Receivers,
  addresses: AddressLimits,
): IngestionAdmission =>
  new IngestionAdmission(receivers, addresses, {
    httpsOnly: isProduction(settings),
    secrets: {
      github: given(settings.GITHUB_WEBHOOK_SECRET, settings.GITHUB_WEBHOOK_SECRET_PREVIOUS),
      stripe: given(settings.STRIPE_WEBHOOK_SECRET, settings.STRIPE_WEBHOOK_SECRET_PREVIOUS),
      // Each sender makes a secret for each receiver, so an installation has none of its own.
      standard: [],
    },
  });

const given = (...secrets: (string | undefined)[]): string[] => secrets.filter((secret) => secret !== undefined);

const openRefusals = ({ logger, onStop }: WebhooksService, db: Database): RefusalLog => {
  const refusals = new RefusalLog(db, logger);
  onStop('refused webhooks', () => refusals.stop());
  return refusals;
};

const openIngestion = (
  { settings, metrics, logger }: WebhooksService,
  admission: IngestionAdmission,
  commands: Commands,
  contracts: PayloadContracts,
  limiter: RateLimits,
  refusals: RefusalLog,
  planOverrides: PlanOverrides,
): IngestionService =>
  new IngestionService(admission, commands, contracts, limiter, refusals, metrics, logger, {
    planOverrides,
    maxPayloadBytes: settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES,
    defaults: jobDefaults(settings),
  });

/** Webhooks of other systems on their way in: verify, then enqueue. */
@Module({
  imports: [PlansModule],
  controllers: [IngestionController],
  providers: [
    provider(Receivers, openReceivers, [Database, SHARED_CREDENTIALS, CredentialFeed]),
    provider(IngestionAdmission, openAdmission, [SERVICE, Receivers, AddressLimits]),
    provider(RefusalLog, openRefusals, [SERVICE, Database]),
    provider(IngestionService, openIngestion, [
      SERVICE,
      IngestionAdmission,
      Commands,
      PayloadContracts,
      RateLimits,
      RefusalLog,
      PLAN_OVERRIDES,
    ]),
  ],
})
export class IngestModule {}
