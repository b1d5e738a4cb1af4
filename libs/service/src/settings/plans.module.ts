import { Global, Module } from '@nestjs/common';
import type { PlanOverrides } from '@spooled/domain';
import { SETTINGS, type SettingsOf } from '@spooled/platform';
import { PLAN_OVERRIDES } from '../tokens.js';
import type { planSettings } from './plan.settings.js';

const planOverrides = {
  provide: PLAN_OVERRIDES,
  useFactory: (settings: SettingsOf<typeof planSettings>): PlanOverrides => settings['SPOOLED_PLAN_*'] ?? {},
  inject: [SETTINGS],
};

/** The operator's overrides of the plans; services that import it declare `planSettings`. */
@Global()
@Module({ providers: [planOverrides], exports: [planOverrides] })
export class PlansModule {}
