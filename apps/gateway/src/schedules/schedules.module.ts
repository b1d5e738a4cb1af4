import { Module } from '@nestjs/common';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesService } from './schedules.service.js';

@Module({ controllers: [SchedulesController], providers: [SchedulesService], exports: [SchedulesService] })
export class SchedulesModule {}
