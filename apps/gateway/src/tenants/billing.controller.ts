import { Body, Controller, Get, Post } from '@nestjs/common';
import { billingSchemas as schemas, restConventions } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { notImplemented } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { ApiTags, ResponseSchema, validatedIfPresent } from '../http/routes.js';
import { iso } from '../http/times.js';
import { requireOrganization } from './organizations.service.js';

/** Controller of the billing routes. Plans are changed by the administrator; this server calls no payment provider. */
@ApiTags('billing')
@Requires('administer')
@Unscoped()
@Controller('billing')
export class BillingController {
  constructor(private readonly database: Database) {}

  @Get('status')
  @ResponseSchema(schemas.billingStatus)
  async status(@CurrentPrincipal() { organizationId }: Principal): Promise<schemas.BillingStatus> {
    const row = await this.database.withTenant(organizationId, requireOrganization);
    return {
      plan_tier: row.plan_tier,
      has_stripe_customer: row.stripe_customer_id !== null,
      stripe_subscription_id: row.stripe_subscription_id,
      stripe_subscription_status: row.stripe_subscription_status,
      stripe_current_period_end: iso(row.stripe_current_period_end),
      stripe_cancel_at_period_end: row.stripe_cancel_at_period_end,
    };
  }

  @Post('portal')
  @ResponseSchema(restConventions.errorBody, 501)
  portal(@Body(validatedIfPresent(schemas.billingPortalBody)) _: unknown): never {
    throw notImplemented('This server has no billing portal; its administrator changes plans');
  }
}
