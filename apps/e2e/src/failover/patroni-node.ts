import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, eventually, trySignal } from '@spooled/testing';
import { ClusterProcess } from './cluster-process.js';

export interface PatroniPrograms {
  python: string;
  /** Folder of Python packages: Patroni, and PostgreSQL with all its programs. */
  packages: string;
}

export interface NodeOptions {
  name: string;
  folder: string;
  port: number;
  apiPort: number;
  etcdPort: number;
  account: { uid?: number; gid?: number };
  programs: PatroniPrograms;
  synchronous: boolean;
}

export const superuserPassword = 'postgres';

/** Seconds until a primary that has gone loses its role: the least that Patroni accepts; the default is 30. */
const ttl = 20;

/** One PostgreSQL that a Patroni starts, promotes and demotes. */
export class PatroniNode {
  private readonly patroni: ClusterProcess;

  constructor(private readonly options: NodeOptions) {
    const { folder, account, programs } = options;
    mkdirSync(folder, { recursive: true });
    if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!);
    // JSON is YAML.
    writeFileSync(join(folder, 'patroni.yml'), JSON.stringify(settingsOf(options)));
    this.patroni = new ClusterProcess('patroni', {
      folder,
      program: programs.python,
      args: ['-m', 'patroni', 'patroni.yml'],
      env: { PYTHONPATH: programs.packages, LC_ALL: 'C' },
      account,
    });
  }

  get name(): string {
    return this.options.name;
  }

  get port(): number {
    return this.options.port;
  }

  get apiPort(): number {
    return this.options.apiPort;
  }

  start(): void {
    this.patroni.start();
  }

  /** SIGKILL of Patroni and of all processes of its PostgreSQL, as if its machine were lost. */
  async kill(): Promise<void> {
    const pid = this.postgresPid();
    await this.patroni.end('SIGKILL');
    const killed = pid ? [pid, ...childrenOf(pid)] : [];
    for (const each of killed) trySignal(each, 'SIGKILL');
    await eventually(() => expect(killed.filter((each) => trySignal(each, 0))).toEqual([]), { timeoutMs: 20_000 });
  }

  /** Patroni stops its PostgreSQL. */
  async stop(): Promise<void> {
    await this.patroni.end('SIGTERM');
  }

  /** What it says of itself, such as `primary`, `replica`, or `sync` for a synchronous replica. */
  async is(role: 'primary' | 'replica' | 'sync'): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.apiPort}/${role}`).catch(() => undefined);
    return response?.status === 200;
  }

  lastLines(): string {
    return `${this.name}: ${this.patroni.lastLines()}`;
  }

  private postgresPid(): number | undefined {
    try {
      return Number(readFileSync(join(this.options.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return undefined;
    }
  }
}

function settingsOf({ name, folder, port, apiPort, etcdPort, programs, synchronous }: NodeOptions): object {
  const listen = `127.0.0.1:${port}`;
  const parameters = {
    max_connections: 200,
    max_locks_per_transaction: 256,
    shared_buffers: '128MB',
    wal_compression: 'on',
    jit: 'off',
    synchronous_commit: 'on',
    timezone: 'UTC',
  };
  return {
    scope: 'spooled',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl,
        loop_wait: 1,
        retry_timeout: 5,
        synchronous_mode: synchronous,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C' },
        { 'locale-provider': 'builtin' },
        { 'builtin-locale': 'C.UTF-8' },
      ],
    },
    postgresql: {
      listen,
      connect_address: listen,
      data_dir: join(folder, 'data'),
      bin_dir: join(programs.packages, 'embedded_postgres/pginstall/bin'),
      pgpass: join(folder, 'pgpass'),
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host replication replicator 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256'],
      authentication: {
        superuser: { username: 'postgres', password: superuserPassword },
        replication: { username: 'replicator', password: 'replicator' },
      },
    },
  };
}
