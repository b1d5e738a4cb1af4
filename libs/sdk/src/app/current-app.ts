import { AsyncLocalStorage } from 'node:async_hooks';
import type { App } from './app.js';

const connected = new Set<App>();
const ofHandler = new AsyncLocalStorage<App>();

/** Makes an app one of those that jobs without an `app` option may mean, until `forget`. */
export const remember = (app: App): void => void connected.add(app);
export const forget = (app: App): void => void connected.delete(app);

/** Runs a handler; the jobs that it enqueues go to the app that runs it. */
export const inApp = <T>(app: App, work: () => T): T => ofHandler.run(app, work);

/**
 * The app that a call means: the one that runs the handler, or the only one of the process.
 * @throws Error when there is none, or several
 */
export function currentApp(): App {
  const running = ofHandler.getStore();
  if (running) return running;
  const [app, ...others] = connected;
  if (!app) throw new Error('No app is connected: call connect() first');
  if (others.length > 0) throw new Error('Several apps are connected: say which one with the option app');
  return app;
}
