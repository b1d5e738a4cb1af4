import { Module } from '@nestjs/common';
import { AppLogger } from '@spooled/platform';
import { optionalProvider, QueueRatesModule, REDIS } from '@spooled/service';
import { ReceiverOutages, type RedisShards } from '@spooled/transport';
import { ExplainController } from './explain.controller.js';
import { ExplainService } from './explain.service.js';

const openOutages = (redis: RedisShards | null, log: AppLogger): ReceiverOutages | null =>
  redis && new ReceiverOutages(redis, { log });

/** What jobs and queues wait for. */
@Module({
  imports: [QueueRatesModule],
  controllers: [ExplainController],
  providers: [optionalProvider(ReceiverOutages, openOutages, [REDIS, AppLogger]), ExplainService],
})
export class ExplainModule {}
