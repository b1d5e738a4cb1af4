import { isAbsolute, join } from 'node:path';
import { httpSettings, readSettings, rpcSettings, serverSettings, setting, withDefault } from '@spooled/platform';
import { z } from 'zod';
import { portIsFree, urlHost } from './ports.js';
import type { ServiceName } from './service-plan.js';

const localSettings = {
  HOST: withDefault(serverSettings.HOST, '127.0.0.1'),
  PORT: httpSettings.PORT,
  GRPC_PORT: rpcSettings.GRPC_PORT,
  METRICS_PORT: serverSettings.METRICS_PORT,
  DATA_DIR: setting(z.string().default('.data'), 'Where the local system keeps its data; relative to the checkout.'),
  EMBEDDED_POSTGRES_SETTINGS: setting(
    z
      .string()
      .default('')
      .refine(
        (list) => parseServerSettings(list) !== null,
        'must be a comma list of name=value, such as shared_buffers=1GB',
      ),
    'Settings of the embedded PostgreSQL, as a comma list of name=value. Default: every commit is durable (fsync, full_page_writes, synchronous_commit).',
  ),
};

/** Null if the text is not a comma list of name=value. */
function parseServerSettings(text: string): Record<string, string> | null {
  const entries = text.split(',').filter((part) => part.trim() !== '');
  const pairs = entries.map((part) => /^\s*([a-z_.]+)\s*=\s*(\S.*?)\s*$/.exec(part)?.slice(1));
  return pairs.includes(undefined) ? null : Object.fromEntries(pairs as [string, string][]);
}

export type LocalSettings = ReturnType<typeof readLocalSettings> & {
  /** The service that runs with a debugger. */
  inspect?: ServiceName;
};

/** @throws SettingsError that names every invalid setting */
export function readLocalSettings(root: string) {
  const read = readSettings(localSettings);
  return {
    host: read.HOST,
    port: read.PORT,
    grpcPort: read.GRPC_PORT,
    metricsPort: read.METRICS_PORT,
    dataDir: isAbsolute(read.DATA_DIR) ? read.DATA_DIR : join(root, read.DATA_DIR),
    postgresSettings: parseServerSettings(read.EMBEDDED_POSTGRES_SETTINGS)!,
  };
}

/** Addresses of the running system on this machine. */
export function addressesOf({ host, port, grpcPort, metricsPort }: LocalSettings) {
  const name = urlHost(host);
  return {
    baseUrl: `http://${name}:${port}`,
    grpcAddress: `${name}:${grpcPort}`,
    metricsUrl: `http://${name}:${metricsPort}/metrics`,
  };
}

/** @throws Error that names the setting whose port is in use */
export async function requireFreePorts({ host, port, grpcPort, metricsPort }: LocalSettings): Promise<void> {
  for (const [name, number] of Object.entries({ PORT: port, GRPC_PORT: grpcPort, METRICS_PORT: metricsPort })) {
    if (!(await portIsFree(number, host))) {
      throw new Error(`Port ${number} is in use by another program: stop it, or set ${name} to a free port.`);
    }
  }
}
