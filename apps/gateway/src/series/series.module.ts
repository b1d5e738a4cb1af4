import { Module } from '@nestjs/common';
import { JobTypesController } from './job-types.controller.js';
import { JobTypesService } from './job-types.service.js';
import { SeriesController } from './series.controller.js';
import { SeriesService } from './series.service.js';

/** How queues and job types went. */
@Module({ controllers: [JobTypesController, SeriesController], providers: [JobTypesService, SeriesService] })
export class SeriesModule {}
