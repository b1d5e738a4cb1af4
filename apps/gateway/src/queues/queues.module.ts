import { Module } from '@nestjs/common';
import { AppLogger } from '@spooled/platform';
import { optionalProvider, QueueRatesModule, REDIS } from '@spooled/service';
import { ReceiverOutages, type RedisShards } from '@spooled/transport';
import { PayloadContractsController } from './payload-contracts.controller.js';
import { PayloadContractsService } from './payload-contracts.service.js';
import { ProducersController } from './producers.controller.js';
import { ProducersService } from './producers.service.js';
import { QueueChanges } from './queue-changes.js';
import { QueuesController } from './queues.controller.js';
import { QueuesService } from './queues.service.js';

const openOutages = (redis: RedisShards | null, log: AppLogger): ReceiverOutages | null =>
  redis && new ReceiverOutages(redis, { log });

@Module({
  imports: [QueueRatesModule],
  controllers: [QueuesController, PayloadContractsController, ProducersController],
  providers: [
    QueueChanges,
    PayloadContractsService,
    ProducersService,
    QueuesService,
    optionalProvider(ReceiverOutages, openOutages, [REDIS, AppLogger]),
  ],
  exports: [QueuesService, ReceiverOutages],
})
export class QueuesModule {}
