import { Controller, Get, Inject, Query } from '@nestjs/common';
import { adminSchemas as schemas } from '@spooled/contracts';
import { Database, readSystemStats } from '@spooled/data-access';
import { planLimits, type PlanOverrides, type PlanTier, planTiers } from '@spooled/domain';
import { PLAN_OVERRIDES } from '@spooled/service';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';

const descriptions: Record<PlanTier, string> = {
  free: 'For evaluation',
  starter: 'For small teams',
  pro: 'For production',
  enterprise: 'Unlimited jobs, queues and workers',
};

/** Statistics and plans of the whole installation. */
@ApiTags('admin')
@Admin()
@Controller('admin')
export class SystemController {
  constructor(
    private readonly database: Database,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
  ) {}

  @Get('stats')
  @ResponseSchema(schemas.systemStats)
  async stats(): Promise<schemas.SystemStats> {
    const row = await readSystemStats(this.database);
    const { organizations_by_plan: byPlan, pending, scheduled, processing } = row;
    const organizations = sum(byPlan);
    const jobsByStatus = {
      pending,
      scheduled,
      processing,
      completed: row.completed,
      failed: 0,
      deadletter: row.dead_letters,
      cancelled: row.cancelled,
    };
    return {
      organizations: {
        total: organizations,
        by_plan: Object.entries(byPlan).map(([plan, count]) => ({ plan, count })),
        created_today: row.organizations_today,
        created_this_week: row.organizations_this_week,
      },
      jobs: {
        total_active: pending + scheduled + processing,
        pending,
        processing,
        completed_24h: row.completed_24h,
        failed_24h: row.failed_24h,
      },
      workers: { total: row.workers, healthy: row.workers_healthy, degraded: row.workers_degraded },
      system: { api_version: 'v1', uptime_seconds: Math.floor(process.uptime()) },
      total_organizations: organizations,
      active_organizations: organizations - (byPlan.deleted ?? 0),
      total_jobs: sum(jobsByStatus),
      total_queues: row.queues,
      total_workers: row.workers,
      total_api_keys: row.api_keys,
      jobs_today: row.jobs_today,
      jobs_by_status: jobsByStatus,
      organizations_by_plan: byPlan,
    };
  }

  /** The plans with the limits of this installation. */
  @Get('plans')
  @ResponseSchema(schemas.planList)
  plans(@Query(validated(schemas.listPlansQuery)) _: object): schemas.PlanList {
    return planTiers.map((tier) => {
      const limits = planLimits(tier, this.overrides);
      return { ...limits, description: descriptions[tier], limits };
    });
  }
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, one) => all + one, 0);
