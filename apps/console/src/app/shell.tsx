import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../ui/icon';
import { Toasts } from '../ui/toast';
import { Header } from './header';
import { HiddenPaths } from './hidden-paths';
import { navigationFor } from './navigation';
import { OutageBanner } from './outage-banner';
import styles from './shell.module.css';
import { ShortcutsDialog } from './shortcuts-dialog';
import { UndoBar } from './undo-bar';
import { useLiveUpdates } from './use-live-updates';
import { useSession } from './use-session';
import type { Session } from '../api/session';
import { undoNewest } from '../parts/held-operations';
import { moveBetweenRows, toggleRow } from './row-keys';

/** The frame of all screens: menu, header, banner, content. */
export function Shell() {
  const { kind } = useSession();
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  const focusSearch = useCallback(() => search.current?.focus(), []);
  const showShortcuts = useCallback(() => setShowsShortcuts(true), []);
  useKeyboard(kind, { focusSearch, showShortcuts });
  useLiveUpdates(kind === 'organization');
  useFocusOnNavigation(main);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      <Menu />
      <div className={styles.body}>
        <Header searchRef={search} onHelp={showShortcuts} />
        <OutageBanner />
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <HiddenPaths>
            <Outlet />
          </HiddenPaths>
        </main>
      </div>
      <Toasts />
      <UndoBar />
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
    </div>
  );
}

function Menu() {
  const { kind, organization } = useSession();
  return (
    <nav className={styles.side} aria-label="Screens">
      <div className={styles.menu}>
        <Link to="/" className={styles.brand}>
          <img src="/console/icon.svg" alt="" width={24} height={24} />
          <span>Spooled</span>
        </Link>
        <div className={styles.organization} title={organization?.slug}>
          {organization?.name ?? 'Administration'}
        </div>
        <ul>
          {navigationFor(kind).map(({ to, label, icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={styles.item}
                activeProps={{ className: styles.active }}
                activeOptions={{ exact: to === '/' || to === '/platform', includeSearch: false }}
              >
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

/** After a move to another screen the keyboard continues at its content, and screen readers read its heading. */
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>): void {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const first = useRef(true);
  useEffect(() => {
    if (pathname === undefined) return;
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** Time between `g` and the key of a screen. */
const sequenceMs = 1_500;

interface KeyboardActions {
  focusSearch(): void;
  showShortcuts(): void;
}

/** Shortcuts of the whole console. They do nothing while the user types or a dialog is open. */
function useKeyboard(kind: Session['kind'], { focusSearch, showShortcuts }: KeyboardActions): void {
  const router = useRouter();
  const goPressedAt = useRef(-Infinity);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const isSecondKey = event.timeStamp - goPressedAt.current < sequenceMs;
      goPressedAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
      const screen = isSecondKey ? navigationFor(kind).find(({ key }) => key === event.key) : undefined;
      if (screen) void router.navigate({ to: screen.to });
      else if (event.key === '/') focusSearch();
      else if (event.key === '?') showShortcuts();
      else if (event.key === 'u') undoNewest();
      else if (event.key === 'j' || event.key === 'k') moveBetweenRows(event.key === 'j' ? 1 : -1);
      else if (event.key === 'x') toggleRow();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [router, kind, focusSearch, showShortcuts]);
}

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || isTyped(target)));

/** A checkbox takes no text. */
const isTyped = (target: HTMLElement): boolean =>
  /^(TEXTAREA|SELECT)$/.test(target.tagName) || (target instanceof HTMLInputElement && target.type !== 'checkbox');
