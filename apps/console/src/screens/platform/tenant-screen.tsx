import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PlanNumbers, UsageBars } from '../../parts/usage-bars';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-section';
import { Notice } from '../../ui/notice';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { SecretDialog } from '../../ui/secret-dialog';
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
  const [dialog, setDialog] = useState<'plan' | 'limits' | 'key' | 'reset' | 'suspend' | 'erase' | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const props = { tenant, onClose: () => setDialog(null) };
  const isSuspended = tenant.planTier === 'deleted';
  return (
    <>
      <Button variant={isSuspended ? 'primary' : 'plain'} onPress={() => setDialog('plan')}>
        {isSuspended ? 'Activate…' : 'Change plan…'}
      </Button>
      {!isSuspended && <Button onPress={() => setDialog('limits')}>Limit…</Button>}
      {!isSuspended && <Button onPress={() => setDialog('key')}>New key…</Button>}
      {!isSuspended && <Button onPress={() => setDialog('reset')}>Reset jobs of today…</Button>}
      {isSuspended ? (
        <Button onPress={() => setDialog('erase')}>Erase…</Button>
      ) : (
        <Button onPress={() => setDialog('suspend')}>Suspend…</Button>
      )}
      {dialog === 'plan' && <ChangePlanDialog {...props} />}
      {dialog === 'limits' && <LimitTenantDialog id={tenant.id} name={tenant.name} onClose={props.onClose} />}
      {dialog === 'key' && <CreateTenantKeyDialog {...props} onKey={setKey} />}
      {dialog === 'reset' && <ResetUsageDialog {...props} />}
      {dialog === 'suspend' && <SuspendDialog {...props} />}
      {dialog === 'erase' && <EraseDialog {...props} />}
      {key !== null && (
        <SecretDialog
          title={`The new key of ${tenant.name}`}
          label="API key"
          secret={key}
          hint="Programs send it as Authorization: Bearer."
          onClose={() => setKey(null)}
        />
      )}
    </>
  );
}
