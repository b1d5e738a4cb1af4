import { parsePlanOverrides } from '@spooled/domain';
import { setting, variables } from '@spooled/platform';

/** The operator's overrides of the plans. */
export const planSettings = {
  'SPOOLED_PLAN_*': setting(
    variables('limits of plans', parsePlanOverrides).optional(),
    'Limits of the plans: `SPOOLED_PLAN_LIMITS_JSON`, `SPOOLED_PLAN_<TIER>_LIMITS_JSON` and `SPOOLED_PLAN_<TIER>_<FIELD>`, see [behaviour.md](behaviour.md#keys-plans-limits).',
  ),
};
