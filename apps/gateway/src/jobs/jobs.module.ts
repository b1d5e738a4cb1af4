import { Module } from '@nestjs/common';
import { DependenciesController } from './dependencies.controller.js';
import { DependenciesService } from './dependencies.service.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';

/** The producers' side: enqueue, read, cancel, retry and order jobs. */
@Module({
  controllers: [DependenciesController, HistoryController, JobsController],
  providers: [DependenciesService, HistoryService, JobsService],
  exports: [JobsService],
})
export class JobsModule {}
