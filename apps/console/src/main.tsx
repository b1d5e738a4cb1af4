import './ui/tokens.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { applyTheme } from './app/theme';

applyTheme();

createRoot(document.getElementById('root')!).render(<App />);
