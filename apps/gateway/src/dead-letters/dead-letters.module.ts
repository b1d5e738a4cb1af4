import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersService } from './dead-letters.service.js';

@Module({ imports: [JobsModule], controllers: [DeadLettersController], providers: [DeadLettersService] })
export class DeadLettersModule {}
