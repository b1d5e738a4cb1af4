import { type App, type ConnectOptions, connect as connectToServices } from '@spooled/sdk';
import { App as EmbeddedApp, requireKnown } from '@spooled/sdk/internal';
import { EmbeddedConnection } from './embedded-connection.js';
import { type EmbeddedOptions, EmbeddedSpooled } from './embedded-spooled.js';
import { migrate } from './migrate.js';

/** What a URL of PostgreSQL needs beside it: nothing. */
export interface EmbeddedConnectOptions extends Omit<
  EmbeddedOptions,
  'databaseUrl' | 'organization' | 'createOrganization'
> {
  /** Id or slug of the organization; a slug that does not exist is created. @default 'default' */
  organization?: string;
  /** Create or update the database at start. Without it the URL needs less rights, and the database must be migrated. @default true */
  migrate?: boolean;
  /** Jobs of each queue to claim ahead of those that run. @default 0 */
  prefetch?: number;
}

export interface ConnectAnywhereOptions extends ConnectOptions {
  /** For URLs of PostgreSQL only; others ignore it, so that the URL alone decides. */
  embedded?: EmbeddedConnectOptions;
}

const optionNames: Record<'logger' | 'stopOn' | 'outbox' | 'embedded', true> = {
  ...{ logger: true, stopOn: true, outbox: true, embedded: true },
};

/**
 * Connects an application: `postgres://…` runs jobs in this process, `https://…` at the services.
 * @throws TypeError for an unknown option, and for one of the services with a URL of PostgreSQL
 * @throws Error as `migrate` and `EmbeddedSpooled.open`
 */
export async function connect(url: string, options: ConnectAnywhereOptions = {}): Promise<App> {
  const { embedded = {}, ...others } = options;
  if (typeof url !== 'string') throw new TypeError('url: must be a postgres, http or https URL');
  if (!/^postgres(ql)?:\/\//.test(url)) return connectToServices(url, others);
  requireKnown(options, optionNames);
  const { logger, stopOn } = others;
  const spooled = await openEmbedded(url, embedded);
  return appOf(spooled, { logger, stopOn }, embedded.prefetch);
}

async function openEmbedded(url: string, options: EmbeddedConnectOptions): Promise<EmbeddedSpooled> {
  const { migrate: migrates = true, prefetch: _, organization = 'default', ...others } = options;
  if (migrates) await migrate({ adminUrl: url, schema: options.schema, grantRoles: true });
  return EmbeddedSpooled.open({ ...others, databaseUrl: url, organization, createOrganization: true });
}

/** @internal */
export function appOf(
  spooled: EmbeddedSpooled,
  options: Pick<ConnectOptions, 'logger' | 'stopOn'>,
  prefetch?: number,
): App {
  const app = new EmbeddedApp(new EmbeddedConnection(spooled, prefetch), options);
  spooled.on('error', app.reportError);
  return app;
}
