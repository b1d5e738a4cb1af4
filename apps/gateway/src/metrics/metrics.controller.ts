import { Controller, Get, Inject, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { adminSchemas as schemas, type ProductMetrics } from '@spooled/contracts';
import { Database, readSystemStats } from '@spooled/data-access';
import { METRICS, type Metrics } from '@spooled/platform';
import type { FastifyReply } from 'fastify';
import { MetricsAccess } from '../auth/access.decorators.js';
import { ApiExcludeEndpoint, ApiTags, ResponseSchema } from '../http/routes.js';
import { cached } from './cached.js';

/** The full path, because `metrics` is excluded from the global prefix for the scrape at /metrics. */
export const metricsPath = 'api/v1/metrics';

/** The route may be public, so callers share one count over all tenants. */
const cacheMs = 15_000;

/** A summary of the system's metrics. Request metrics are those of this process since it started. */
@ApiTags('health')
@MetricsAccess()
@Controller(metricsPath)
export class MetricsController {
  private readonly stats: () => ReturnType<typeof readSystemStats>;

  constructor(
    database: Database,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
  ) {
    this.stats = cached(cacheMs, () => readSystemStats(database));
  }

  /** @throws SpooledError 503 when PostgreSQL is unavailable */
  @Get()
  @ResponseSchema(schemas.metricsSummary)
  async summarize(): Promise<schemas.MetricsSummary> {
    const [row, requests] = await Promise.all([this.stats(), this.requests()]);
    const uptime = process.uptime();
    return {
      jobs: {
        total_created: row.created,
        total_completed: row.completed,
        total_failed: row.deadlettered,
        avg_wait_time_ms: row.avg_wait_ms,
        avg_processing_ms: row.avg_run_ms,
      },
      workers: {
        total_registered: row.workers,
        total_active: row.workers - row.workers_idle,
        total_idle: row.workers_idle,
      },
      queues: {
        total_queues: row.queues,
        total_paused: row.queues_paused,
        total_pending: row.pending,
        total_processing: row.processing,
      },
      system: {
        uptime_seconds: Math.floor(uptime),
        requests_per_sec: requests.total / uptime,
        error_rate: requests.total === 0 ? 0 : requests.failed / requests.total,
        avg_latency_ms: requests.total === 0 ? 0 : Math.round((requests.seconds / requests.total) * 1000),
      },
    };
  }

  @Get('prometheus')
  @RouteConfig({ neverShed: true })
  @ApiExcludeEndpoint()
  @ResponseSchema(null)
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('content-type', this.metrics.contentType).send(await this.metrics.text());
  }

  private async requests(): Promise<{ total: number; failed: number; seconds: number }> {
    const [counted, timed] = await Promise.all([this.metrics.apiRequests.get(), this.metrics.apiRequestDuration.get()]);
    const add = (values: { value: number }[]) => values.reduce((sum, { value }) => sum + value, 0);
    return {
      total: add(counted.values),
      failed: add(counted.values.filter(({ labels }) => labels.status === '5xx')),
      seconds: add(timed.values.filter(({ metricName }) => metricName?.endsWith('_sum'))),
    };
  }
}
