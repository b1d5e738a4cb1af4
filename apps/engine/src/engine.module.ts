import { Module } from '@nestjs/common';
import { BatchModule } from './batch/batch.module.js';
import { JobCommandsHandler } from './commands/job-commands.handler.js';
import { ScheduleCommandsHandler } from './commands/schedule-commands.handler.js';
import { WorkerCommandsHandler } from './commands/worker-commands.handler.js';
import { WorkflowCommandsHandler } from './commands/workflow-commands.handler.js';

/** The queue engine: takes commands from Redis streams, runs them in shared transactions, answers after the commit. */
@Module({
  imports: [BatchModule],
  controllers: [JobCommandsHandler, ScheduleCommandsHandler, WorkerCommandsHandler, WorkflowCommandsHandler],
})
export class EngineModule {}
