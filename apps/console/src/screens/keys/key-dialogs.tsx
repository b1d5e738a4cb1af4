import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { confirmation } from '../../app/confirmation';
import { useSession } from '../../app/use-session';
import { keyBody, KeyFields, type KeyValues, noKey } from '../../parts/key-fields';
import { FormDialog } from '../../ui/dialog';
import { Notice } from '../../ui/notice';
import { TimeField } from '../../ui/time-field';
import { useEdits } from '../../ui/use-edits';
import { type ApiKey } from './queries';

export function CreateKeyDialog({ onKey, onClose }: { onKey(key: string): void; onClose(): void }) {
  const [values, setValues] = useState(noKey);
  const [expiry, setExpiry] = useState<string>();
  const create = async () => {
    const { key } = await api.apiKeys.create({ ...keyBody(values), expiresAt: expiry ?? null });
    onKey(key);
    await refresh('keys', 'session');
  };
  return (
    <FormDialog
      title="Create an API key"
      act="Create the key"
      disabled={values.name.trim() === ''}
      onClose={onClose}
      onAct={create}
    >
      <KeyFields values={values} onChange={(part) => setValues({ ...values, ...part })} />
      <TimeField label="Expires" value={expiry} onChange={setExpiry} hint="Empty: never." />
    </FormDialog>
  );
}

interface DialogProps {
  apiKey: ApiKey;
  onClose(): void;
}

const valuesOf = ({ name, role, queues, rateLimit }: ApiKey): KeyValues => ({
  name,
  role,
  queues: queues.join(', '),
  rateLimit: String(rateLimit ?? ''),
});

export function ChangeKeyDialog({ apiKey, onClose }: DialogProps) {
  const { values, isChanged, change, only, check } = useEdits(valuesOf(apiKey));
  const save = async () => {
    await check(async () => valuesOf(await api.apiKeys.get(apiKey.id)));
    await api.apiKeys.update(apiKey.id, only(keyBody(values)));
    await refresh('keys', 'session');
    return `${values.name.trim()} is changed`;
  };
  const keepsLimit = apiKey.rateLimit !== null && values.rateLimit === '';
  return (
    <FormDialog
      title={`Change ${apiKey.name}`}
      act="Save"
      disabled={!isChanged || values.name.trim() === '' || keepsLimit}
      onClose={onClose}
      onAct={save}
    >
      <OwnKeyWarning apiKey={apiKey} effect="A smaller role or fewer queues hold for this page at once." />
      <KeyFields values={values} onChange={change} />
      {keepsLimit && (
        <Notice tone="warn" title="A limit cannot be removed from a key">
          Name a higher one, or create another key.
        </Notice>
      )}
    </FormDialog>
  );
}

export const RevokeKeyDialog = confirmation(({ apiKey }: { apiKey: ApiKey }) => ({
  title: `Revoke ${apiKey.name}`,
  act: 'Revoke the key',
  danger: true,
  typed: apiKey.name,
  about: (
    <>
      <OwnKeyWarning apiKey={apiKey} effect="You will be signed out." />
      <p>
        Programs that use the key are refused at once, and their streams end. Jobs that their workers hold are given to
        others when the leases expire.
      </p>
    </>
  ),
  run: () => api.apiKeys.revoke(apiKey.id),
  views: ['keys', 'session'],
  done: `${apiKey.name} is revoked`,
}));

function OwnKeyWarning({ apiKey, effect }: { apiKey: ApiKey; effect: string }) {
  const session = useSession();
  if (session.apiKey?.id !== apiKey.id) return null;
  return (
    <Notice tone="warn" title="This is the key of your own session">
      {effect}
    </Notice>
  );
}
