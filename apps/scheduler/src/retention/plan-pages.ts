import { Inject, Injectable } from '@nestjs/common';
import { Database, listOrganizationPlans } from '@spooled/data-access';
import { planLimits, type PlanLimits, type PlanOverrides } from '@spooled/domain';
import { PLAN_OVERRIDES } from '@spooled/service';

export interface OrganizationLimits {
  organizationId: string;
  limits: PlanLimits;
}

const pageSize = 500;

/** The limits of every organization: plan, operator overrides and custom limits combined. */
@Injectable()
export class PlanPages {
  constructor(
    private readonly db: Database,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
  ) {}

  /** All organizations, `pageSize` at a time. */
  async *pages(): AsyncGenerator<OrganizationLimits[]> {
    let after: string | null = null;
    do {
      const page = await this.page(after);
      if (page.length > 0) yield page;
      after = page.length < pageSize ? null : page.at(-1)!.organizationId;
    } while (after !== null);
  }

  /** The longest retention of any organization, in days. */
  async longest(field: 'job_retention_days' | 'history_retention_days'): Promise<number> {
    let days = 0;
    for await (const page of this.pages()) days = Math.max(days, ...page.map(({ limits }) => limits[field]));
    return days;
  }

  private async page(after: string | null): Promise<OrganizationLimits[]> {
    const plans = await this.db.asSystem('read plans', (tx) => listOrganizationPlans(tx, after, pageSize));
    return plans.map(({ organizationId, planTier, customLimits }) => ({
      organizationId,
      limits: planLimits(planTier, this.overrides, customLimits),
    }));
  }
}
