import { Module } from '@nestjs/common';
import { JobTypesController } from './job-types.controller.js';
import { SeriesController } from './series.controller.js';

/** How queues and job types went. */
@Module({ controllers: [JobTypesController, SeriesController] })
export class SeriesModule {}
