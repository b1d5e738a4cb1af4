import { Global, Module } from '@nestjs/common';
import { parsePlanOverrides } from '@spooled/domain';
import { PLAN_OVERRIDES } from '../tokens.js';

const planOverrides = { provide: PLAN_OVERRIDES, useFactory: () => parsePlanOverrides(process.env) };

/** The operator's overrides of the plans: SPOOLED_PLAN_* of the environment. */
@Global()
@Module({ providers: [planOverrides], exports: [planOverrides] })
export class PlansModule {}
