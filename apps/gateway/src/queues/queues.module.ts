import { Module } from '@nestjs/common';
import { AppLogger } from '@spooled/platform';
import {
  EffectsPublisher,
  optionalProvider,
  provider,
  QueueChanges,
  QueueRates,
  QueueRatesModule,
  REDIS,
  SHARED_CREDENTIALS,
} from '@spooled/service';
import { PushShortages, ReceiverOutages, type RedisCredentialCache, type RedisShards } from '@spooled/transport';
import { PayloadContractsController } from './payload-contracts.controller.js';
import { ProducersController } from './producers.controller.js';
import { QueuesController } from './queues.controller.js';
import { QueuesService } from './queues.service.js';

const openOutages = (redis: RedisShards | null, log: AppLogger): ReceiverOutages | null =>
  redis && new ReceiverOutages(redis, { log });

const openShortages = (redis: RedisShards | null, log: AppLogger): PushShortages | null =>
  redis && new PushShortages(redis, { log });

const openChanges = (
  effects: EffectsPublisher,
  redis: RedisShards | null,
  shared: RedisCredentialCache | null,
  rates: QueueRates,
): QueueChanges => new QueueChanges({ effects, redis, shared, rates });

@Module({
  imports: [QueueRatesModule],
  controllers: [QueuesController, PayloadContractsController, ProducersController],
  providers: [
    provider(QueueChanges, openChanges, [EffectsPublisher, REDIS, SHARED_CREDENTIALS, QueueRates]),

    QueuesService,
    optionalProvider(ReceiverOutages, openOutages, [REDIS, AppLogger]),
    optionalProvider(PushShortages, openShortages, [REDIS, AppLogger]),
  ],
  exports: [QueuesService, PushShortages, ReceiverOutages],
})
export class QueuesModule {}
