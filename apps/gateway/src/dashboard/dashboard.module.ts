import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.rest.js';
import { DashboardService } from './dashboard.service.js';

@Module({ controllers: [DashboardController], providers: [DashboardService] })
export class DashboardModule {}
