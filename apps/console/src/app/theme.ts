import { KeptText, useStore } from '../ui/store';

export type Theme = 'system' | 'light' | 'dark';

const kept = new KeptText('spooled.theme');

const themeOf = (text: string | null): Theme => (text === 'light' || text === 'dark' ? text : 'system');

/** Before the first paint. */
export function applyTheme(): void {
  const theme = themeOf(kept.get());
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function setTheme(theme: Theme): void {
  kept.set(theme);
  applyTheme();
}

export const useTheme = (): Theme => themeOf(useStore(kept));
