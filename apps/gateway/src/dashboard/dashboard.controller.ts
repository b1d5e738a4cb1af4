import { Controller, Get, Inject } from '@nestjs/common';
import { dashboardSchemas } from '@spooled/contracts';
import {
  averageMs,
  countJobs,
  countLastMinute,
  countRecent,
  countWorkers,
  Database,
  listBusiestQueues,
} from '@spooled/data-access';
import { HealthChecks, SERVICE } from '@spooled/platform';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { failedAttempts, toLastMinute } from '../figures/rates.js';
import type { GatewayService } from '../gateway.config.js';
import { ApiTags, ResponseSchema } from '../http/routes.js';

/** An overview of an organization's jobs, queues and workers, and of the system's health. */
@ApiTags('dashboard')
@Controller('dashboard')
export class DashboardController {
  private readonly startedAt = new Date(Date.now() - process.uptime() * 1000);

  constructor(
    private readonly database: Database,
    private readonly health: HealthChecks,
    @Inject(SERVICE) private readonly service: GatewayService,
  ) {}

  @Get()
  @Requires('read')
  @ResponseSchema(dashboardSchemas.dashboard)
  async get(@CurrentPrincipal() { organizationId, queues: scope }: Principal): Promise<dashboardSchemas.Dashboard> {
    const [[jobs, day, hour, minute, queues, workers], system] = await Promise.all([
      this.database.withTenant(organizationId, (tx) =>
        Promise.all([
          tx.one(countJobs, { queues: scope }),
          countRecent(tx, scope, 24),
          countRecent(tx, scope, 1),
          countLastMinute(tx, scope),
          tx.run(listBusiestQueues, { queues: scope }),
          tx.one(countWorkers, { queues: scope }),
        ]),
      ),
      this.system(),
    ]);
    return {
      system,
      jobs: {
        total: Object.values(jobs).reduce((sum, count) => sum + count, 0),
        pending: jobs.pending,
        processing: jobs.processing,
        completed_24h: day.completed,
        failed_24h: day.deadlettered,
        covered_seconds_24h: day.covered_seconds,
        deadletter: jobs.deadletter,
        avg_wait_time_ms: averageMs(day.wait_ms, day),
        avg_processing_time_ms: averageMs(day.run_ms, day),
      },
      queues,
      workers,
      recent_activity: {
        jobs_created_1h: hour.created,
        jobs_completed_1h: hour.completed,
        jobs_failed_1h: hour.deadlettered,
        failed_attempts_1h: failedAttempts(hour),
        covered_seconds_1h: hour.covered_seconds,
        last_minute: toLastMinute(minute),
      },
    };
  }

  private async system(): Promise<dashboardSchemas.Dashboard['system']> {
    const { checks } = await this.health.report();
    const { version, settings } = this.service;
    return {
      version,
      uptime_seconds: Math.floor(process.uptime()),
      started_at: this.startedAt.toISOString(),
      database_status: stateOf(checks.database),
      cache_status: stateOf(checks.cache),
      environment: settings.SPOOLED_ENV,
    };
  }
}

/** There is no check of Redis in a deployment without it. */
const stateOf = (healthy: boolean | undefined): string =>
  healthy === undefined ? 'disabled' : healthy ? 'healthy' : 'unhealthy';
