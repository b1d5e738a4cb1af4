import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { SystemGauges } from './system-gauges.service.js';

/** The metrics of the gateway, and under the addresses at which an older SDK looks for them. */
@Module({ controllers: [MetricsController], providers: [SystemGauges] })
export class MetricsModule {}
