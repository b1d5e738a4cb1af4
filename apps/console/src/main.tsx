import './ui/tokens.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { applyTheme } from './app/theme';

applyTheme();

// A tab that is older than the last release asks for files that are gone: the page is loaded again, once.
window.addEventListener('vite:preloadError', () => {
  const { state } = window.history as { state: { reloaded?: boolean } | null };
  if (state?.reloaded) return;
  window.history.replaceState({ ...state, reloaded: true }, '');
  window.location.reload();
});

createRoot(document.getElementById('root')!).render(<App />);
