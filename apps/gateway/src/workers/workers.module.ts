import { Module } from '@nestjs/common';
import { WorkersController } from './workers.controller.js';
import { WorkersService } from './workers.service.js';

@Module({ controllers: [WorkersController], providers: [WorkersService], exports: [WorkersService] })
export class WorkersModule {}
