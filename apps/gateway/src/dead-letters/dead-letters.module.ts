import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { CauseMutesController } from './cause-mutes.controller.js';
import { CauseMutesService } from './cause-mutes.service.js';
import { DeadLetterGroupsController } from './dead-letter-groups.controller.js';
import { DeadLetterGroupsService } from './dead-letter-groups.service.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersService } from './dead-letters.service.js';

@Module({
  imports: [JobsModule],
  controllers: [DeadLettersController, DeadLetterGroupsController, CauseMutesController],
  providers: [DeadLettersService, DeadLetterGroupsService, CauseMutesService],
})
export class DeadLettersModule {}
