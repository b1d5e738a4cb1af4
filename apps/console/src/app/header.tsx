import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { type Ref, useState } from 'react';
import { msBetweenReadsWithoutStream } from '../api/query-client';
import { beginSignIn, signOut } from '../api/session';
import { momentOf } from '../parts/past/moment';
import { roleNames } from '../parts/roles';
import { Badge } from '../ui/badge';
import { IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { ActionMenu } from '../ui/menu';
import { toast } from '../ui/toast';
import { formatTime } from '../ui/format';
import styles from './header.module.css';
import { loadFresh } from './load-fresh';
import { screenOf } from './screen-of-id';
import { keepNextPage } from './sign-in-callback';
import { setTheme, type Theme, useTheme } from './theme';
import { useStreamState } from './use-live-updates';
import { useSession } from './use-session';

export function Header({ searchRef, onHelp }: { searchRef: Ref<HTMLInputElement>; onHelp(): void }) {
  // The administrator sees no jobs of an organization.
  const { kind } = useSession();
  return (
    <header className={styles.header}>
      {kind === 'organization' ? <Search inputRef={searchRef} /> : <span />}
      <div className={styles.tools}>
        <StreamBadge />
        <ThemeMenu />
        <IconButton label="Keyboard shortcuts" icon="info" onPress={onHelp} />
        <AccountMenu />
      </div>
    </header>
  );
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id of a job, batch, workflow or operation leads to it, any other line to the jobs that it finds. */
function Search({ inputRef }: { inputRef: Ref<HTMLInputElement> }) {
  const navigate = useNavigate();
  const router = useRouter();
  const [text, setText] = useState('');
  const find = async () => {
    const wanted = text.trim();
    if (wanted === '') return;
    setText('');
    if (!uuid.test(wanted)) return navigate({ to: '/jobs', search: { search: wanted } });
    const id = wanted.toLowerCase();
    const from = router.latestLocation.href;
    const to = await screenOf(id);
    // Unless the user has gone elsewhere in the meantime.
    return router.latestLocation.href === from ? navigate({ to, params: { id } }) : undefined;
  };
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <Icon name="search" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Search jobs"
        placeholder="Id, or payload.order=4711"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

/** Whether the page is told about changes, or reads them at intervals. */
function StreamBadge() {
  const { status, since } = useStreamState();
  // A screen that shows the past says so itself.
  const isPast = useRouterState({
    select: ({ location: { search } }) => 'at' in search && momentOf(search.at) !== undefined,
  });
  if (status === 'connecting' || isPast) return null;
  if (status === 'open') return <Badge tone="ok" icon="check" label="Live" />;
  const every = `${msBetweenReadsWithoutStream() / 1_000} s`;
  return (
    <span role="status" title={`No live updates since ${formatTime(new Date(since))}; the page is read every ${every}`}>
      <Badge tone="warn" icon="warning" label={`Every ${every}`} />
    </span>
  );
}

const themes: { id: Theme; label: string }[] = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
];

function ThemeMenu() {
  const theme = useTheme();
  return <ActionMenu label="Theme" icon="sun" items={themes} selected={theme} onAction={(id) => setTheme(id)} />;
}

function AccountMenu() {
  const { role, apiKey, person, kind, organizations } = useSession();
  const router = useRouter();
  const leave = async () => {
    try {
      await signOut();
      loadFresh(router.buildLocation({ to: '/login' }).publicHref);
    } catch (error) {
      toast.failed('Signing out failed', error);
    }
  };
  // As from the page of the sign-in: nothing that this page holds stays.
  const switchTo = async (organization: string) => {
    try {
      const { url } = await beginSignIn(organization);
      keepNextPage(undefined);
      window.location.assign(url);
    } catch (error) {
      toast.failed('Switching the organization failed', error);
    }
  };
  const who =
    kind === 'administrator' ? 'Administrator' : `${person?.name ?? apiKey?.name ?? 'API key'} · ${roleNames[role]}`;
  return (
    <ActionMenu
      label={`Signed in: ${who}`}
      text={who}
      icon="user"
      items={[
        ...organizations.map(({ id, name }) => ({ id, label: `Switch to ${name}` })),
        { id: 'leave', label: 'Sign out' },
      ]}
      onAction={(id) => void (id === 'leave' ? leave() : switchTo(id))}
    />
  );
}
