import { systemClock } from '@spooled/clock';
import { createOrganization, type Database, findPlanById, findPlanBySlug, type PlanRow } from '@spooled/data-access';
import { accessDenied, isUuid, planLimits, type PlanLimits, type PlanOverrides } from '@spooled/domain';

/** A plan that changes applies at the latest after this time. */
const keptMs = 5_000;

/** The organization of an embedded process, with the limits of its plan. */
export class Tenant {
  /** Null when the organization was deleted. */
  private current: PlanLimits | null;
  private readAt = systemClock.monotonic();
  private reading = false;

  private constructor(
    private readonly db: Database,
    private readonly overrides: PlanOverrides,
    plan: PlanRow,
  ) {
    this.id = plan.id;
    this.current = planLimits(plan.plan_tier, overrides, plan.custom_limits);
  }

  readonly id: string;

  /** @throws Error when the organization does not exist */
  static async find(db: Database, overrides: PlanOverrides, { organization, create }: TenantOptions): Promise<Tenant> {
    const plan = (await findPlan(db, organization)) ?? (create ? await createTenant(db, organization) : undefined);
    if (!plan) throw new Error(`There is no organization with the id or slug "${organization}"`);
    return new Tenant(db, overrides, plan);
  }

  /** Read again in the background when they are old. @throws SpooledError 403 when the organization was deleted */
  get limits(): PlanLimits {
    if (!this.reading && systemClock.monotonic() - this.readAt > keptMs) void this.refresh();
    if (this.current === null) throw accessDenied('The organization was deleted');
    return this.current;
  }

  /** @throws SpooledError 403 when the organization was deleted */
  requireActive(): void {
    void this.limits;
  }

  /** Never rejects: while PostgreSQL is away, the last limits hold. */
  private async refresh(): Promise<void> {
    this.reading = true;
    try {
      const plan = await this.db.withTenant(this.id, (tx) => tx.first(findPlanById));
      this.current = plan ? planLimits(plan.plan_tier, this.overrides, plan.custom_limits) : null;
    } catch {
      // The next call tries again.
    } finally {
      this.readAt = systemClock.monotonic();
      this.reading = false;
    }
  }
}

interface TenantOptions {
  /** Id or slug. */
  organization: string;
  /** Create the organization of this slug if there is none. */
  create: boolean;
}

const findPlan = (db: Database, organization: string): Promise<PlanRow | undefined> =>
  isUuid(organization)
    ? db.withTenant(organization.toLowerCase(), (tx) => tx.first(findPlanById))
    : db.asSystem('find organization', (tx) => tx.first(findPlanBySlug, { slug: organization }));

/** Its API key is discarded: the administrator makes one when the first remote worker or producer needs it. */
async function createTenant(db: Database, slug: string): Promise<PlanRow | undefined> {
  if (isUuid(slug)) return undefined;
  // Another process may have created it meanwhile.
  await createOrganization(db, { name: slug, slug, planTier: 'enterprise', live: true }).catch(() => undefined);
  return findPlan(db, slug);
}
