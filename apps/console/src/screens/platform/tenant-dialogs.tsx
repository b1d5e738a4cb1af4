import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { keyBody, KeyFields, type KeyValues, noKey } from '../../parts/key-fields';
import { FormDialog } from '../../ui/dialog';
import { SelectField } from '../../ui/field';
import { formatCount } from '../../ui/format';
import { type Tier, tierChoices } from './create-organization-dialog';
import { refreshPlatform, type Tenant } from './queries';

interface DialogProps {
  tenant: Tenant;
  onClose(): void;
}

export function ChangePlanDialog({ tenant, onClose }: DialogProps) {
  const isSuspended = tenant.planTier === 'deleted';
  const [tier, setTier] = useState<Tier>(isSuspended ? 'free' : (tenant.planTier as Tier));
  const save = async () => {
    await api.admin.updateOrganization(tenant.id, { planTier: tier });
    await refreshPlatform();
    return `${tenant.name} has the plan ${tier}`;
  };
  return (
    <FormDialog
      title={isSuspended ? `Activate ${tenant.name}` : `Plan of ${tenant.name}`}
      act={isSuspended ? 'Activate' : 'Change the plan'}
      onClose={onClose}
      onAct={save}
    >
      <SelectField<Tier>
        label="Plan"
        value={tier}
        onChange={setTier}
        choices={tierChoices}
        hint="Its limits hold at once. What is there already stays."
      />
      {isSuspended && <p>Its old keys stay revoked: give it a new one afterwards.</p>}
    </FormDialog>
  );
}

export function CreateTenantKeyDialog({ tenant, onKey, onClose }: DialogProps & { onKey(key: string): void }) {
  const [values, setValues] = useState<KeyValues>({ ...noKey, role: 'admin' });
  const create = async () => {
    const { queues, ...body } = keyBody(values);
    const { key } = await api.admin.createApiKey(tenant.id, { ...body, ...(queues.length > 0 && { queues }) });
    onKey(key);
    await refreshPlatform();
  };
  return (
    <FormDialog
      title={`New key for ${tenant.name}`}
      act="Create the key"
      disabled={values.name.trim() === ''}
      onClose={onClose}
      onAct={create}
    >
      <KeyFields values={values} onChange={(part) => setValues({ ...values, ...part })} />
    </FormDialog>
  );
}

export function ResetUsageDialog({ tenant, onClose }: DialogProps) {
  const reset = async () => {
    await api.admin.resetUsage(tenant.id);
    await refreshPlatform();
    return 'The count of today is zero';
  };
  const { current } = tenant.usageInfo.usage.jobsToday;
  return (
    <FormDialog title="Reset jobs of today" act="Reset the count" onClose={onClose} onAct={reset}>
      <p>
        {tenant.name} has created {formatCount(current)} jobs today. The count begins again at zero, so that it can
        create as many as its plan allows.
      </p>
    </FormDialog>
  );
}

export function SuspendDialog({ tenant, onClose }: DialogProps) {
  const suspend = async () => {
    await api.admin.deleteOrganization(tenant.id);
    await refreshPlatform();
    return `${tenant.name} is suspended`;
  };
  return (
    <FormDialog
      title={`Suspend ${tenant.name}`}
      act="Suspend the organization"
      danger
      typed={tenant.slug}
      onClose={onClose}
      onAct={suspend}
    >
      <p>
        Its {formatCount(tenant.apiKeysCount)} keys are revoked at once, so that its programs are refused. Its{' '}
        {formatCount(tenant.totalJobs)} jobs and everything else are kept.
      </p>
    </FormDialog>
  );
}

export function EraseDialog({ tenant, onClose }: DialogProps) {
  const navigate = useNavigate();
  const erase = async () => {
    await api.admin.eraseOrganization(tenant.id);
    await navigate({ to: '/platform/organizations' });
    await refreshPlatform();
    return `${tenant.name} is erased`;
  };
  return (
    <FormDialog
      title={`Erase ${tenant.name}`}
      act="Erase everything of it"
      danger
      typed={tenant.slug}
      onClose={onClose}
      onAct={erase}
    >
      <p>
        The organization, its {formatCount(tenant.totalJobs)} jobs, its keys and all other data are deleted. This cannot
        be undone.
      </p>
    </FormDialog>
  );
}
