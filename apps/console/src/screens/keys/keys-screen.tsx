import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useAct } from '../../app/use-act';
import { useSearch } from '../../app/use-search';
import { useSession } from '../../app/use-session';
import { ManagersOnly } from '../../parts/managers-only';
import { isForAllQueues, mayManage, roleNames } from '../../parts/roles';
import { DialogButton } from '../../ui/dialog-buttons';
import { useNow } from '../../ui/clock';
import { Checkbox } from '../../ui/field';
import { LoadedRows } from '../../ui/loaded-rows';
import { ActionMenu } from '../../ui/menu';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { useSecretDialog } from '../../ui/secret-dialog';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { ChangeKeyDialog, CreateKeyDialog, RevokeKeyDialog } from './key-dialogs';
import { type ApiKey, keysQuery } from './queries';
import { keysRoute } from '../../app/screens';
import common from '../../ui/common.module.css';
import { Badge } from '../../ui/badge';

const columns: VirtualColumn<ApiKey>[] = [
  { title: 'Key', width: 'minmax(10rem, 2fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  { title: 'State', width: '9.25rem', cell: (apiKey) => <KeyState apiKey={apiKey} /> },
  { title: 'Role', width: '10rem', cell: ({ role }) => roleNames[role] },
  {
    title: 'Queues',
    width: 'minmax(6rem, 1fr)',
    cell: ({ queues }) => <span title={queues.join(', ')}>{isForAllQueues(queues) ? 'All' : queues.join(', ')}</span>,
  },
  { title: 'Last used', width: '9.5rem', cell: ({ lastUsed }) => <Short value={lastUsed} none="Never" /> },
  { title: 'Expires', width: '12.75rem', cell: ({ expiresAt }) => <Short value={expiresAt} none="Never" /> },
  { title: 'Actions', width: '5.5rem', cell: (apiKey) => <KeyActions apiKey={apiKey} /> },
];

const Short = ({ value, none }: { value: string | null; none: string }) =>
  value === null ? <span className={common.muted}>{none}</span> : <Time value={value} stacked />;

function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const [dialog, setDialog] = useState<'change' | 'revoke' | null>(null);
  const [, act] = useAct();
  const close = () => setDialog(null);
  const activate = () => api.apiKeys.update(apiKey.id, { isActive: true });
  return (
    <>
      <ActionMenu<'change' | 'revoke' | 'activate'>
        label={`Actions for ${apiKey.name}`}
        icon="menu"
        items={[
          { id: 'change', label: 'Change…' },
          apiKey.isActive ? { id: 'revoke', label: 'Revoke…' } : { id: 'activate', label: 'Activate again' },
        ]}
        onAction={(id) =>
          id === 'activate' ? act(`${apiKey.name} is active`, activate, 'keys', 'session') : setDialog(id)
        }
      />
      {dialog === 'change' && <ChangeKeyDialog apiKey={apiKey} onClose={close} />}
      {dialog === 'revoke' && <RevokeKeyDialog apiKey={apiKey} onClose={close} />}
    </>
  );
}

/** Who may call: the keys of the organization, when they were used, until when they are valid. */
export function KeysScreen() {
  const session = useSession();
  const [secretDialog, onKey] = useSecretDialog({
    title: 'The new key',
    label: 'API key',
    hint: 'Programs send it as Authorization: Bearer.',
  });
  const may = mayManage(session);
  return (
    <Page
      title="API keys"
      actions={
        may && (
          <DialogButton of={{ onKey }} label="Create a key" variant="primary" icon="plus" dialog={CreateKeyDialog} />
        )
      }
    >
      {may ? <KeyList /> : <ManagersOnly what="API keys" />}
      {secretDialog}
    </Page>
  );
}

function KeyList() {
  const [{ show }, change] = useSearch(keysRoute);
  const query = useInfiniteQuery(keysQuery);
  const now = useNow();
  return (
    <>
      <Checkbox
        label="Show revoked and expired keys too"
        checked={show === 'all'}
        onChange={(all) => change({ show: all ? 'all' : undefined })}
      />
      <LoadedRows
        query={query}
        lines={6}
        filter={(key) => show === 'all' || isUsable(key, now)}
        empty={<Notice title="No key can be used">Create one for each program and person.</Notice>}
      >
        {(keys, more) => (
          <VirtualTable label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} {...more} />
        )}
      </LoadedRows>
    </>
  );
}

/** A key that expires sooner is pointed out. */
const soonMs = 7 * 86_400_000;

/** Whether a key can be used. */
const isUsable = ({ isActive, expiresAt }: ApiKey, now: number): boolean =>
  isActive && (expiresAt === null || Date.parse(expiresAt) > now);

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  const session = useSession();
  if (!apiKey.isActive) return <Badge tone="neutral" icon="slash" label="Revoked" />;
  if (!isUsable(apiKey, now)) return <Badge tone="danger" icon="clock" label="Expired" />;
  if (session.apiKey?.id === apiKey.id) return <Badge tone="info" icon="user" label="This session" />;
  return apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) < now + soonMs ? (
    <Badge tone="warn" icon="clock" label="Expires soon" />
  ) : (
    <Badge tone="ok" icon="check" label="Active" />
  );
}
