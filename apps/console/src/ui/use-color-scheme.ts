import { useSyncExternalStore } from 'react';

const dark = window.matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener);
  const theme = new MutationObserver(listener);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    dark.removeEventListener('change', listener);
    theme.disconnect();
  };
}

/** The colours that the page has now; for what is drawn and not styled. */
export const useColorScheme = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light'));
