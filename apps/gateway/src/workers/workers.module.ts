import { Module } from '@nestjs/common';
import { DrainedWorkers } from './drained-workers.js';
import { RunningJobsController } from './running-jobs.controller.js';
import { WorkerVersionsController } from './worker-versions.controller.js';
import { WorkersController } from './workers.controller.js';
import { WorkersService } from './workers.service.js';

@Module({
  controllers: [RunningJobsController, WorkerVersionsController, WorkersController],
  providers: [DrainedWorkers, WorkersService],
  exports: [DrainedWorkers, WorkersService],
})
export class WorkersModule {}
