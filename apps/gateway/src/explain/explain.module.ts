import { Module } from '@nestjs/common';
import { QueueRatesModule } from '@spooled/service';
import { QueuesModule } from '../queues/queues.module.js';
import { ExplainController } from './explain.controller.js';

/** What jobs and queues wait for. */
@Module({
  imports: [QueueRatesModule, QueuesModule],
  controllers: [ExplainController],
})
export class ExplainModule {}
