import { Module } from '@nestjs/common';
import { QueueChanges } from './queue-changes.js';
import { QueuesController } from './queues.controller.js';
import { QueuesService } from './queues.service.js';

@Module({ controllers: [QueuesController], providers: [QueueChanges, QueuesService], exports: [QueuesService] })
export class QueuesModule {}
