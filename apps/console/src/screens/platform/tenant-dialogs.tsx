import { useState } from 'react';
import { confirmation } from '../../app/confirmation';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { keyBody, KeyFields, type KeyValues, noKey } from '../../parts/key-fields';
import { FormDialog } from '../../ui/dialog';
import { SelectField } from '../../ui/field';
import { formatCount } from '../../ui/format';
import { type Tier, tierChoices } from './create-organization-dialog';
import { type Tenant } from './queries';

interface DialogProps {
  tenant: Tenant;
  onClose(): void;
}

export function ChangePlanDialog({ tenant, onClose }: DialogProps) {
  const isSuspended = tenant.planTier === 'deleted';
  const [tier, setTier] = useState<Tier>(isSuspended ? 'free' : (tenant.planTier as Tier));
  const save = async () => {
    await api.admin.updateOrganization(tenant.id, { planTier: tier });
    await refresh('platform');
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
    await refresh('platform');
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

interface Subject {
  tenant: Tenant;
}

export const ResetUsageDialog = confirmation(({ tenant: { id, name, usageInfo } }: Subject) => ({
  title: 'Reset jobs of today',
  act: 'Reset the count',
  about: `${name} has created ${formatCount(usageInfo.usage.jobsToday.current)} jobs today. The count begins again at zero, so that it can create as many as its plan allows.`,
  run: () => api.admin.resetUsage(id),
  views: ['platform'],
  done: 'The count of today is zero',
}));

export const SuspendDialog = confirmation(({ tenant: { id, name, slug, apiKeysCount, totalJobs } }: Subject) => ({
  title: `Suspend ${name}`,
  act: 'Suspend the organization',
  danger: true,
  typed: slug,
  about: `Its ${formatCount(apiKeysCount)} keys are revoked at once, so that its programs are refused. Its ${formatCount(totalJobs)} jobs and everything else are kept.`,
  run: () => api.admin.deleteOrganization(id),
  views: ['platform'],
  done: `${name} is suspended`,
}));

export const EraseDialog = confirmation(({ tenant: { id, name, slug, totalJobs } }: Subject) => ({
  title: `Erase ${name}`,
  act: 'Erase everything of it',
  danger: true,
  typed: slug,
  about: `The organization, its ${formatCount(totalJobs)} jobs, its keys and all other data are deleted. This cannot be undone.`,
  run: () => api.admin.eraseOrganization(id),
  to: '/platform/organizations',
  views: ['platform'],
  done: `${name} is erased`,
}));
