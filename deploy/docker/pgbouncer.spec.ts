import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@spooled/testing';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spooled-pgbouncer-'));
  // The program that the script ends with; what it would read is the subject here.
  const program = join(folder, 'pgbouncer');
  writeFileSync(program, '#!/bin/sh\nexit 0\n');
  chmodSync(program, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the script that starts PgBouncer, and returns how it ended. */
function start(env: Record<string, string>): { status: number | null; stderr: string } {
  return spawnSync('bash', [join(root, 'deploy/pgbouncer/start.sh'), 'pgbouncer.ini'], {
    encoding: 'utf8',
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      PGBOUNCER_RUN_DIR: join(folder, 'run'),
      POSTGRES_HOST: 'postgres.example',
      SPOOLED_APP_PASSWORD: 'app',
      SPOOLED_SYSTEM_PASSWORD: 'system',
      ...env,
    },
  });
}

const written = (file: string) => readFileSync(join(folder, 'run', file), 'utf8');

describe('SP-78 the start of PgBouncer', () => {
  it.each<Record<string, string>>([{}, { POSTGRES_TLS: 'verify-ca' }, { POSTGRES_TLS_CA_FILE: '/nowhere/ca.crt' }])(
    'refuses %j, which would not verify the server',
    (env) => {
      expect(start(env)).toMatchObject({ status: 1, stderr: expect.stringContaining('POSTGRES_TLS_CA_FILE') });
    },
  );

  it('verifies the server with the authority, unless told otherwise', () => {
    const authority = join(folder, 'ca.crt');
    writeFileSync(authority, 'a certificate');
    expect(start({ POSTGRES_TLS_CA_FILE: authority }).status).toBe(0);
    expect(written('settings.ini')).toContain(`server_tls_sslmode = verify-full\nserver_tls_ca_file = ${authority}\n`);
    expect(start({ POSTGRES_TLS: 'disable' }).status).toBe(0);
    expect(written('settings.ini')).toContain('server_tls_sslmode = disable\n');
  });
});
