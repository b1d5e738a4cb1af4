import { Badge } from '../../ui/badge';

/** A suspended organization has the plan `deleted`. */
export const PlanBadge = ({ tier }: { tier: string }) =>
  tier === 'deleted' ? <Badge tone="danger" icon="slash" label="Suspended" /> : <Badge tone="neutral" label={tier} />;
