import type { Outbox } from '../outbox/outbox.js';
import { Spooled, type SpooledOptions } from '../spooled.js';
import { App, type AppOptions } from './app.js';
import { requireKnown } from './known-options.js';
import { ServicesConnection } from './services-connection.js';

export interface ConnectOptions
  extends AppOptions, Pick<SpooledOptions, 'apiKey' | 'timeoutMs' | 'retry' | 'grpcAddress' | 'grpcTls' | 'fetch'> {
  /** How workers get jobs. @default 'rest' */
  transport?: 'rest' | 'grpc';
  /** Takes jobs with `tx`; `App.work` sends them. Embedded mode needs none and ignores it. */
  outbox?: Outbox;
}

export const connectOptionNames: Record<keyof ConnectOptions, true> = {
  ...{ logger: true, stopOn: true, apiKey: true, timeoutMs: true, retry: true, grpcAddress: true, grpcTls: true },
  ...{ fetch: true, transport: true, outbox: true },
};

/**
 * Connects an application to the services. Nothing is read from the environment of the process.
 * @param url `https://spooled.example`; it may hold the API key as in `https://sk_live_…@spooled.example`
 * @throws TypeError for an unknown option or kind of URL, and without an API key
 */
export function connect(url: string, options: ConnectOptions = {}): Promise<App> {
  return new Promise((resolve) => resolve(connectToServices(url, options)));
}

function connectToServices(text: string, options: ConnectOptions): App {
  requireKnown(options, connectOptionNames);
  const { logger, stopOn, transport, outbox, ...others } = options;
  const url = parsedUrl(text);
  const inUrl = keyOf(url) || undefined;
  if (inUrl !== undefined && others.apiKey !== undefined) throw new TypeError('apiKey: the URL has one too');
  const apiKey = others.apiKey ?? inUrl;
  if (!apiKey) throw new TypeError('apiKey: is missing, as an option or in the URL');
  url.username = url.password = '';
  const client = new Spooled({ ...others, apiKey, baseUrl: url.href });
  return new App(new ServicesConnection(client, transport, outbox), { logger, stopOn });
}

/** @throws TypeError that does not show the key */
function keyOf({ username, password }: URL): string {
  try {
    return decodeURIComponent(password || username);
  } catch {
    throw new TypeError('url: its API key must be percent-encoded');
  }
}

/** @throws TypeError that does not show the URL, which may hold a secret */
function parsedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') {
    throw new TypeError("url: embedded mode needs another package: import { connect } from 'spooled-embedded'");
  }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new TypeError('url: must be an http or https URL');
  return url;
}
