import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PlanNumbers, UsageBars } from '../../parts/usage-bars';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatCount } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-tree';
import { Notice } from '../../ui/notice';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { useSecretDialog } from '../../ui/secret-dialog';
import { LimitTenantDialog } from './limit-tenant-dialog';
import { PlanBadge } from './plan-badge';
import { type Tenant, tenantQuery } from './queries';
import { tenantRoute } from '../../app/screens';
import {
  ChangePlanDialog,
  CreateTenantKeyDialog,
  EraseDialog,
  ResetUsageDialog,
  SuspendDialog,
} from './tenant-dialogs';

/** One organization as the administrator sees it: plan, usage, keys, suspension. */
export const TenantScreen = () => (
  <ItemPage
    query={useQuery(tenantQuery(tenantRoute.useParams().id))}
    kind="Organization"
    back={<Link to="/platform/organizations">All organizations</Link>}
    title={({ name }) => name}
    badge={({ planTier }) => <PlanBadge tier={planTier} />}
    actions={(tenant) => <TenantActions tenant={tenant} />}
  >
    {(tenant) => (
      <>
        {tenant.planTier === 'deleted' && (
          <Notice tone="danger" title="This organization is suspended">
            Its keys are revoked and its data is kept. To activate it, give it a plan and a new key.
          </Notice>
        )}
        <TenantFacts tenant={tenant} />
        <Section title="Usage">
          <UsageBars usage={tenant.usageInfo.usage} />
        </Section>
        <PlanNumbers limits={tenant.usageInfo.limits} />
        <JsonSection title="Limits of its own" value={tenant.customLimits} />
      </>
    )}
  </ItemPage>
);

const TenantFacts = ({ tenant }: { tenant: Tenant }) =>
  facts({
    Id: <code>{tenant.id}</code>,
    'Short name': tenant.slug,
    'E-mail for bills': tenant.billingEmail ?? '–',
    'Keys that are active': formatCount(tenant.apiKeysCount),
    'Jobs that are kept': formatCount(tenant.totalJobs),
    Created: <Time value={tenant.createdAt} stacked />,
    'Audit log': (
      <Link to="/platform/audit" search={{ organizationId: tenant.id }}>
        Its entries
      </Link>
    ),
  });

function TenantActions({ tenant }: { tenant: Tenant }) {
  const [secretDialog, onKey] = useSecretDialog({
    title: `The new key of ${tenant.name}`,
    label: 'API key',
    hint: 'Programs send it as Authorization: Bearer.',
  });
  const isSuspended = tenant.planTier === 'deleted';
  return (
    <>
      <DialogButtons
        of={{ tenant, onKey }}
        buttons={
          isSuspended
            ? [
                { label: 'Activate…', variant: 'primary', dialog: ChangePlanDialog },
                { label: 'Erase…', dialog: EraseDialog },
              ]
            : [
                { label: 'Change plan…', dialog: ChangePlanDialog },
                { label: 'Limit…', dialog: LimitDialog },
                { label: 'New key…', dialog: CreateTenantKeyDialog },
                { label: 'Reset jobs of today…', dialog: ResetUsageDialog },
                { label: 'Suspend…', dialog: SuspendDialog },
              ]
        }
      />
      {secretDialog}
    </>
  );
}

const LimitDialog = ({ tenant: { id, name }, onClose }: { tenant: Tenant; onClose(): void }) => (
  <LimitTenantDialog id={id} name={name} onClose={onClose} />
);
