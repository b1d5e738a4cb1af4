import { Module } from '@nestjs/common';
import { DeadLettersController } from '../dead-letters/dead-letters.rest.js';
import { DeadLettersService } from '../dead-letters/dead-letters.service.js';
import { JobsController } from './jobs.rest.js';
import { JobsService } from './jobs.service.js';
import { WorkController } from './work.rest.js';
import { WorkService } from './work.service.js';

/** Jobs as producers and workers meet them, and their dead letters. */
@Module({
  controllers: [DeadLettersController, JobsController, WorkController],
  providers: [DeadLettersService, JobsService, WorkService],
  exports: [DeadLettersService, JobsService, WorkService],
})
export class JobsModule {}
