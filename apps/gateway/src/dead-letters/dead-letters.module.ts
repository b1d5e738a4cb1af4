import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { DeadLetterGroupsController } from './dead-letter-groups.controller.js';
import { DeadLetterGroupsService } from './dead-letter-groups.service.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersService } from './dead-letters.service.js';

@Module({
  imports: [JobsModule],
  controllers: [DeadLettersController, DeadLetterGroupsController],
  providers: [DeadLettersService, DeadLetterGroupsService],
})
export class DeadLettersModule {}
