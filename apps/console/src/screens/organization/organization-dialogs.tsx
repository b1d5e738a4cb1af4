import { useState } from 'react';
import { confirmation } from '../../app/confirmation';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextArea, TextField } from '../../ui/field';
import { prettyJson, readJson, withEditedMembers } from '../../ui/json-text';
import { useEdits } from '../../ui/use-edits';
import type { Organization } from './queries';

type Settings = Record<string, unknown>;

export function ChangeOrganizationDialog({ organization, onClose }: { organization: Organization; onClose(): void }) {
  const [opened] = useState(() => withoutToken(organization.settings));
  const { values, isChanged, change, only, check } = useEdits({
    name: organization.name,
    billingEmail: organization.billingEmail ?? '',
    settings: prettyJson(opened),
  });
  const { value, error } = readSettings(values.settings);
  const save = async () => {
    await check(async () => {
      const { name, billingEmail } = await api.organizations.get(organization.id);
      // Settings are merged below.
      return { name, billingEmail: billingEmail ?? '', settings: values.settings };
    });
    const { settings, ...edited } = only({
      name: values.name.trim(),
      billingEmail: values.billingEmail.trim() || null,
      settings: value,
    });
    await api.organizations.update(organization.id, {
      ...edited,
      ...(settings && { settings: await withEdits(organization.id, opened, settings) }),
    });
    await refresh('organization', 'session');
    return 'The organization is changed';
  };
  return (
    <FormDialog
      title="Change the organization"
      size="l"
      act="Save"
      disabled={!isChanged || values.name.trim() === '' || error !== null}
      onClose={onClose}
      onAct={save}
    >
      <TextField label="Name" value={values.name} onChange={(name) => change({ name })} required />
      <TextField
        label="E-mail for bills"
        value={values.billingEmail}
        onChange={(billingEmail) => change({ billingEmail })}
        hint="Empty: unchanged."
      />
      <TextArea
        label="Settings (JSON)"
        monospaced
        rows={10}
        value={values.settings}
        onChange={(settings) => change({ settings })}
        error={error}
      />
    </FormDialog>
  );
}

/** Settings are replaced as a whole: read now, so that members that others have changed in the meantime stay. */
async function withEdits(id: string, opened: Settings, edited: Settings): Promise<Settings> {
  const { settings } = await api.organizations.get(id);
  return withEditedMembers(settings, opened, edited);
}

/** The server keeps the token of inbound webhooks when settings are replaced. */
const withoutToken = ({ webhook_token: _token, ...settings }: Settings): Settings => settings;

function readSettings(text: string): { value?: Settings; error: string | null } {
  const { value, error } = readJson(text);
  if (error !== null) return { error };
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { value: value as Settings, error: null } : { error: 'Settings are a JSON object' };
}

export const RenewTokenDialog = confirmation(() => ({
  title: 'New token',
  act: 'Replace the token',
  danger: true,
  typed: 'replace',
  about: 'Senders that know only the old token are refused from now on.',
  run: () => api.organizations.regenerateWebhookToken(),
  views: ['organization'],
  done: 'There is a new token',
}));
