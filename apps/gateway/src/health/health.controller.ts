import { Controller, Get, Inject, Res } from '@nestjs/common';
import { healthSchemas, type ProductMetrics } from '@spooled/contracts';
import { HealthChecks, METRICS, SERVICE, type Metrics, type ServiceContext } from '@spooled/platform';
import { healthBody } from '@spooled/service';
import type { FastifyReply } from 'fastify';
import { MetricsAccess, Unlimited } from '../auth/access.decorators.js';
import { AdditionalResponse, ApiExcludeEndpoint, ApiTags, ResponseSchema } from '../http/routes.js';

/** Probes and the metrics scrape, at the root of the public port. */
@ApiTags('health')
@Unlimited()
@Controller()
export class HealthController {
  constructor(
    private readonly checks: HealthChecks,
    @Inject(SERVICE) private readonly service: ServiceContext,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
  ) {}

  @Get('health')
  @ResponseSchema(healthSchemas.health)
  @AdditionalResponse(healthSchemas.health, 503, 'Not ready to serve requests')
  async health(@Res({ passthrough: true }) reply: FastifyReply): Promise<healthSchemas.Health> {
    const body = healthBody(await this.checks.report(), this.service.version);
    if (!body.database) void reply.status(503);
    return body;
  }

  @Get('health/live')
  @ResponseSchema(healthSchemas.liveness)
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  @Get('health/ready')
  @ResponseSchema(healthSchemas.health)
  @AdditionalResponse(healthSchemas.health, 503, 'Not ready to serve requests')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<healthSchemas.Health> {
    if (!(await this.checks.ready())) void reply.status(503);
    return healthBody(await this.checks.report(), this.service.version);
  }

  @Get('metrics')
  @MetricsAccess()
  @ApiExcludeEndpoint()
  @ResponseSchema(null)
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('content-type', this.metrics.contentType).send(await this.metrics.text());
  }
}
