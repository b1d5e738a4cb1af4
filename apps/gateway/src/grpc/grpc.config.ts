import { readFileSync } from 'node:fs';
import { flag, integer, rpcSettings, setting, SettingsError, type SettingsOf } from '@spooled/platform';
import { z } from 'zod';

export const grpcSettings = {
  ...rpcSettings,
  GRPC_TLS_ENABLED: setting(flag().default(false), 'Serve gRPC over TLS.'),
  GRPC_TLS_CERT_PATH: setting(z.string().optional(), 'PEM file of the certificate chain, for GRPC_TLS_ENABLED.'),
  GRPC_TLS_KEY_PATH: setting(z.string().optional(), "PEM file of the certificate's private key, for GRPC_TLS_ENABLED."),
  GRPC_MAX_STREAMS: setting(
    integer({ min: 1, max: 100_000 }).default(100),
    'Maximum open gRPC job streams per organization, over all replicas; more are refused with RESOURCE_EXHAUSTED.',
  ),
  GRPC_MAX_CONNECTION_AGE_SECS: setting(
    integer({ min: 0, max: 86_400 }).default(1_800),
    'Longest age of a gRPC connection in seconds, for each up to a tenth shorter or longer. Then it gets GOAWAY, its calls end normally, and its streams end with UNAVAILABLE, so that clients also find new replicas. 0 = never.',
  ),
  GRPC_RELEASE_ON_DISCONNECT: setting(
    flag().default(true),
    'Release the leases of a worker at once when its connection closes. Turn off behind a proxy that shares connections.',
  ),
  WORKER_FALLBACK_POLL_INTERVAL_SECS: setting(
    integer({ min: 1, max: 300 }).default(5),
    'How often waiting streams and claims poll a queue, in case a wake-up was lost.',
  ),
};

type GrpcSettings = SettingsOf<typeof grpcSettings>;

/** The files of the certificate, or null without TLS. @throws SettingsError when one is not named or cannot be read */
export function readTlsFiles(settings: GrpcSettings): { certificate: Buffer; key: Buffer } | null {
  if (!settings.GRPC_TLS_ENABLED) return null;
  return {
    certificate: readPem('GRPC_TLS_CERT_PATH', settings.GRPC_TLS_CERT_PATH),
    key: readPem('GRPC_TLS_KEY_PATH', settings.GRPC_TLS_KEY_PATH),
  };
}

function readPem(name: string, path: string | undefined): Buffer {
  if (path === undefined) throw new SettingsError([{ name, reason: 'is required with GRPC_TLS_ENABLED' }]);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SettingsError([{ name, reason: `could not be read: ${(error as Error).message}` }]);
  }
}
