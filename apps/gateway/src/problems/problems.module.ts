import { Module } from '@nestjs/common';
import { QueueRatesModule } from '@spooled/service';
import { QueuesModule } from '../queues/queues.module.js';
import { ProblemsController } from './problems.controller.js';

/** What is stalled, fails or gets worse. */
@Module({
  imports: [QueueRatesModule, QueuesModule],
  controllers: [ProblemsController],
})
export class ProblemsModule {}
