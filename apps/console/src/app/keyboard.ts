import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Session } from '../api/session';
import { undoNewest } from '../parts/held-operations';
import { navigationFor } from './navigation';
import { moveBetweenRows, toggleRow } from './row-keys';

/** Time between `g` and the key of a screen. */
const sequenceMs = 1_500;

interface KeyboardActions {
  focusSearch(): void;
  showShortcuts(): void;
}

/** Shortcuts of the whole console. They do nothing while the user types or a dialog is open. */
export function useKeyboard(kind: Session['kind'], { focusSearch, showShortcuts }: KeyboardActions): void {
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
