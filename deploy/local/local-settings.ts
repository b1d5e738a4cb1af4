import { isAbsolute, join } from 'node:path';
import { port, readSettings, setting } from '@spooled/platform';
import { z } from 'zod';
import { portIsFree, urlHost } from './ports.js';

const localSettings = {
  HOST: setting(z.string().default('127.0.0.1'), 'Address of the doors; 0.0.0.0 opens them to the network.'),
  PORT: setting(port().default(8080), 'REST, WebSocket and SSE.'),
  GRPC_PORT: setting(port().default(50_051), 'gRPC.'),
  METRICS_PORT: setting(port().default(9090), 'Metrics and health of the gateway.'),
  DATA_DIR: setting(z.string().default('.data'), 'Where the local system keeps its data; relative to the checkout.'),
};

export interface LocalSettings {
  host: string;
  port: number;
  grpcPort: number;
  metricsPort: number;
  dataDir: string;
}

/** @throws SettingsError that names every invalid setting */
export function readLocalSettings(root: string): LocalSettings {
  const read = readSettings(localSettings);
  return {
    host: read.HOST,
    port: read.PORT,
    grpcPort: read.GRPC_PORT,
    metricsPort: read.METRICS_PORT,
    dataDir: isAbsolute(read.DATA_DIR) ? read.DATA_DIR : join(root, read.DATA_DIR),
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
      throw new Error(`Port ${number} is in use by another program: set ${name} to a free one.`);
    }
  }
}
