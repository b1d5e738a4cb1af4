import { useState } from 'react';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { sessionQuery } from '../../api/session';
import { FormDialog } from '../../ui/dialog';
import { TextArea, TextField } from '../../ui/field';
import { prettyJson, readJson } from '../../ui/json-text';
import { toast } from '../../ui/toast';
import { type Organization, refreshOrganization, webhookTokenQuery } from './queries';

interface ChangeOrganizationDialogProps {
  organization: Organization;
  onClose(): void;
}

export function ChangeOrganizationDialog({ organization, onClose }: ChangeOrganizationDialogProps) {
  const before = prettyJson(withoutToken(organization.settings));
  const [name, setName] = useState(organization.name);
  const [email, setEmail] = useState(organization.billingEmail ?? '');
  const [settings, setSettings] = useState(before);
  const { value, error } = readSettings(settings);
  const save = async () => {
    await api.organizations.update(organization.id, {
      name: name.trim(),
      ...(email.trim() !== '' && { billingEmail: email.trim() }),
      // Settings are replaced as a whole: somebody else's change is kept unless this one is about them.
      ...(settings !== before && { settings: value }),
    });
    await Promise.all([refreshOrganization(), queryClient.invalidateQueries(sessionQuery)]);
    toast.done('The organization is changed');
  };
  return (
    <FormDialog
      title="Change the organization"
      size="l"
      act="Save"
      disabled={name.trim() === '' || error !== null}
      onClose={onClose}
      onAct={save}
    >
      <TextField label="Name" value={name} onChange={setName} required />
      <TextField label="E-mail for bills" value={email} onChange={setEmail} hint="Empty: unchanged." />
      <TextArea
        label="Settings (JSON)"
        monospaced
        rows={10}
        value={settings}
        onChange={setSettings}
        error={error}
        hint="Replaced as a whole."
      />
    </FormDialog>
  );
}

/** The server keeps the token of inbound webhooks when settings are replaced. */
const withoutToken = ({ webhook_token: _token, ...settings }: Record<string, unknown>) => settings;

function readSettings(text: string): { value?: Record<string, unknown>; error: string | null } {
  const { value, error } = readJson(text);
  if (error !== null) return { error };
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { value: value as Record<string, unknown>, error: null } : { error: 'Settings are a JSON object' };
}

export function RenewTokenDialog({ onClose }: { onClose(): void }) {
  const renew = async () => {
    await api.organizations.regenerateWebhookToken();
    await queryClient.invalidateQueries(webhookTokenQuery);
    toast.done('There is a new token');
  };
  return (
    <FormDialog title="New token" act="Replace the token" danger typed="replace" onClose={onClose} onAct={renew}>
      <p>Senders that know only the old token are refused from now on.</p>
    </FormDialog>
  );
}
