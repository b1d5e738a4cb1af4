import { Module } from '@nestjs/common';
import { SeriesController } from './series.controller.js';
import { SeriesService } from './series.service.js';

/** How queues went. */
@Module({ controllers: [SeriesController], providers: [SeriesService] })
export class SeriesModule {}
