import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { CauseMutesController } from './cause-mutes.controller.js';
import { DeadLetterGroupsController } from './dead-letter-groups.controller.js';
import { DeadLettersController } from './dead-letters.controller.js';

@Module({
  imports: [JobsModule],
  controllers: [DeadLettersController, DeadLetterGroupsController, CauseMutesController],
})
export class DeadLettersModule {}
