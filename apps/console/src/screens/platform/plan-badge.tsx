import { Badge } from '../../ui/badge';

export const planTiers = ['free', 'starter', 'pro', 'enterprise', 'deleted'] as const;

/** A suspended organization has the plan `deleted`. */
export const PlanBadge = ({ tier }: { tier: string }) =>
  tier === 'deleted' ? <Badge tone="danger" icon="slash" label="Suspended" /> : <Badge tone="neutral" label={tier} />;
