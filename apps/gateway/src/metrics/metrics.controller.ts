import { Controller, Get, Inject, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { adminSchemas as schemas, type ProductMetrics } from '@spooled/contracts';
import { METRICS, type Metrics } from '@spooled/platform';
import type { FastifyReply } from 'fastify';
import { MetricsAccess } from '../auth/access.decorators.js';
import { ApiExcludeEndpoint, ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { MetricsSummary } from './metrics-summary.service.js';

/** The full path, because `metrics` is excluded from the global prefix for the scrape at /metrics. */
export const metricsPath = 'api/v1/metrics';

@ApiTags('health')
@MetricsAccess()
@Controller(metricsPath)
export class MetricsController {
  constructor(
    private readonly summary: MetricsSummary,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
  ) {}

  @Get()
  @ResponseSchema(schemas.metricsSummary)
  summarize(): Promise<schemas.MetricsSummary> {
    return this.summary.read();
  }

  @Get('prometheus')
  @RouteConfig({ neverShed: true })
  @ApiExcludeEndpoint()
  @ResponseSchema(null)
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('content-type', this.metrics.contentType).send(await this.metrics.text());
  }
}
