import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstOrganization } from './first-organization.js';

const fileOf = (dataDir: string): string => join(dataDir, 'secrets.json');
const newSecret = (): string => randomBytes(24).toString('base64url');

const newSecrets = () => ({
  jwtSecret: newSecret() + newSecret(),
  adminApiKey: newSecret(),
  postgresPassword: newSecret(),
  ownerPassword: newSecret(),
  appPassword: newSecret(),
  systemPassword: newSecret(),
  redisPassword: newSecret(),
});

/** What a local system needs to start again with the same data; stored in DATA_DIR/secrets.json, readable only by its owner. */
export type Secrets = ReturnType<typeof newSecrets> & Partial<FirstOrganization>;

/** Reads the stored secrets; creates and stores missing ones. */
export function keptSecrets(dataDir: string): Secrets {
  const kept = existsSync(fileOf(dataDir))
    ? (JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Secrets>)
    : {};
  const secrets: Secrets = { ...newSecrets(), ...kept };
  keepSecrets(dataDir, secrets);
  return secrets;
}

/** Written to a temporary file and renamed, so that a crash leaves either the old or the new file. */
export function keepSecrets(dataDir: string, secrets: Secrets): void {
  const unfinished = `${fileOf(dataDir)}.new`;
  writeFileSync(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, fileOf(dataDir));
}
