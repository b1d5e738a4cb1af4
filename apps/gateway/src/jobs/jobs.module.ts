import { Module } from '@nestjs/common';
import { DependenciesController } from './dependencies.controller.js';
import { HistoryController } from './history.controller.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';

/** The producers' side: enqueue, read, cancel, retry and order jobs. */
@Module({
  controllers: [DependenciesController, HistoryController, JobsController],
  providers: [JobsService],
  exports: [JobsService],
})
export class JobsModule {}
