import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { PlanNumbers, UsageBars } from '../../parts/usage-bars';
import { Badge } from '../../ui/badge';
import { usageQuery } from '../organization/queries';

/** How much of the plan is used, what is left, and what happens at each limit. */
export function UsageScreen() {
  const query = useQuery(usageQuery);
  const plan = query.data?.planDisplayName;
  return (
    <Page title="Limits and usage" badge={plan && <Badge tone="info" label={`Plan ${plan}`} />}>
      <Loaded query={query} lines={8}>
        {(usage) => (
          <>
            {usage.warnings.length === 0 && (
              <Notice tone="ok" title="No limit is near">
                Everything that the plan counts is below 80 % of its limit.
              </Notice>
            )}
            <UsageBars usage={usage.usage} />
            <PlanNumbers limits={usage.limits} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
