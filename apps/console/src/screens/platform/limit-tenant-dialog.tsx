import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { facts } from '../../ui/page';
import { useEdits } from '../../ui/use-edits';
import { floodLimits, textsOf, withTexts } from './custom-limits';
import { type Tenant, tenantQuery } from './queries';

interface LimitTenantDialogProps {
  id: string;
  name: string;
  /** What it does now, such as what it creates; absent = not measured. */
  load?: string;
  onClose(): void;
}

/** Gives an organization limits of its own, in place of those of its plan. */
export function LimitTenantDialog({ id, name, load, onClose }: LimitTenantDialogProps) {
  const query = useQuery(tenantQuery(id));
  const { values: texts, isChanged, change, only, check } = useEdits(textsOf(query.data?.customLimits ?? null));
  const save = async () => {
    // Read again: the limits are replaced as a whole.
    const { customLimits } = await api.admin.organization(id);
    await check(() => Promise.resolve(textsOf(customLimits)));
    await api.admin.updateOrganization(id, { customLimits: withTexts(customLimits, only(texts)) });
    await refresh('platform');
    return `The limits of ${name} are changed`;
  };
  return (
    <FormDialog
      title={`Limit ${name}`}
      act="Set the limits"
      disabled={!isChanged || Object.values(texts).some((text) => text !== '' && !(Number(text) >= 1))}
      onClose={onClose}
      onAct={save}
    >
      <Loaded query={query} lines={3}>
        {(tenant) => (
          <>
            {facts({
              'Creates now': load,
              Plan: tenant.planTier,
              'Jobs today': formatCount(tenant.usageInfo.usage.jobsToday.current),
            })}
            <p>
              Its requests above a limit are refused with status 429. The limits hold at once, also for its workers.
            </p>
            {floodLimits.map(({ name: limit, label }) => (
              <TextField
                key={limit}
                label={label}
                type="number"
                min={1}
                value={texts[limit]}
                onChange={(text) => change({ [limit]: text })}
                hint={hintOf(tenant, limit)}
              />
            ))}
          </>
        )}
      </Loaded>
    </FormDialog>
  );
}

function hintOf({ usageInfo, customLimits }: Tenant, limit: (typeof floodLimits)[number]['name']): string {
  const { limits, usage } = usageInfo;
  const present = {
    rate_limit_requests_per_second: limits.rateLimitRequestsPerSecond,
    rate_limit_burst: limits.rateLimitBurst,
    max_jobs_per_day: usage.jobsToday.limit,
  }[limit];
  const whose = customLimits !== null && limit in customLimits ? 'of its own' : 'of its plan';
  return `Now ${present === null ? 'no limit' : formatCount(present)}, ${whose}. Empty: the plan's.`;
}
