import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one local system needs to come up again with the same data; kept in DATA_DIR/secrets.json for its owner only. */
export interface Secrets {
  jwtSecret: string;
  adminApiKey: string;
  postgresPassword: string;
  ownerPassword: string;
  appPassword: string;
  systemPassword: string;
  redisPassword: string;
  /** The first organization and its key, once they exist. */
  organizationId?: string;
  apiKey?: string;
}

const fileOf = (dataDir: string): string => join(dataDir, 'secrets.json');
const newSecret = (): string => randomBytes(24).toString('base64url');

/** Reads the kept secrets; those that are missing are made and kept. */
export function keptSecrets(dataDir: string): Secrets {
  const kept = existsSync(fileOf(dataDir))
    ? (JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Secrets>)
    : {};
  const secrets: Secrets = {
    jwtSecret: newSecret() + newSecret(),
    adminApiKey: newSecret(),
    postgresPassword: newSecret(),
    ownerPassword: newSecret(),
    appPassword: newSecret(),
    systemPassword: newSecret(),
    redisPassword: newSecret(),
    ...kept,
  };
  keepSecrets(dataDir, secrets);
  return secrets;
}

/** Written aside and renamed, so that a crash leaves the old file or the new one. */
export function keepSecrets(dataDir: string, secrets: Secrets): void {
  const unfinished = `${fileOf(dataDir)}.new`;
  writeFileSync(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, fileOf(dataDir));
}
