import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { planTiers } from './plan-badge';

export type Tier = Exclude<(typeof planTiers)[number], 'deleted'>;

export const tierChoices = planTiers
  .filter((tier): tier is Tier => tier !== 'deleted')
  .map((value) => ({ value, label: value }));

export function CreateOrganizationDialog({ onKey, onClose }: { onKey(key: string): void; onClose(): void }) {
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [email, setEmail] = useState('');
  const [tier, setTier] = useState<Tier>('free');
  const proposed = slug.trim() || slugOf(name);
  const create = async () => {
    const { apiKey } = await api.admin.createOrganization({
      name: name.trim(),
      slug: proposed,
      planTier: tier,
      billingEmail: email.trim() || null,
    });
    onKey(apiKey.key);
    await refresh('platform');
    return `${name.trim()} is created`;
  };
  return (
    <FormDialog
      title="Create an organization"
      act="Create the organization"
      disabled={name.trim() === '' || proposed === ''}
      onClose={onClose}
      onAct={create}
    >
      <TextField label="Name" value={name} onChange={setName} required />
      <TextField
        label="Short name"
        value={slug}
        onChange={setSlug}
        placeholder={slugOf(name)}
        hint="Small letters, digits and hyphens. Empty: made from the name."
      />
      <TextField label="E-mail for bills" value={email} onChange={setEmail} hint="May be empty." />
      <SelectField<Tier> label="Plan" value={tier} onChange={setTier} choices={tierChoices} />
    </FormDialog>
  );
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
