import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@spooled/local';
import { root } from './declared-settings.js';
import { eventually } from './eventually.js';
import { createServerFolder } from './server-folder.js';

export interface TestPgBouncer {
  /** The address of `serverUrl` behind this PgBouncer, with another password if one is given. */
  through(serverUrl: string, password?: string): string;
  /** Ends it at once, with all connections, and starts it on the same port. */
  restart(): Promise<void>;
  /** Moves its clients elsewhere, as before the stop signal on Kubernetes. */
  drain(): Promise<void>;
  /** Sends the stop signal of the image; resolves with the exit code when all open transactions have ended. */
  finish(): Promise<number>;
  stop(): Promise<void>;
}

/** PgBouncer does not run as root. */
const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * The installed PgBouncer with the settings and the script of the image, in front of the database of two roles.
 * @throws Error without the program
 */
export async function startPgBouncer(
  { appUrl, systemUrl }: { appUrl: string; systemUrl: string },
  env: NodeJS.ProcessEnv = {},
): Promise<TestPgBouncer> {
  const port = await freePort();
  const { folder, remove } = createServerFolder('spooled-pgbouncer-');
  chmodSync(folder, 0o777);
  const settings = join(folder, 'pgbouncer.ini');
  const listening = `listen_addr = 127.0.0.1\nlisten_port = ${port}`;
  const text = readFileSync(join(root, 'deploy/pgbouncer/pgbouncer.ini'), 'utf8');
  writeFileSync(settings, text.replace('listen_addr = *\nlisten_port = 6432', listening));
  const script = readFileSync(join(root, 'deploy/pgbouncer/start.sh'), 'utf8');
  const environment = { ...environmentOf(appUrl, systemUrl, folder), ...env };
  const launch = async () => {
    const process = start(script, settings, environment);
    const ended = once(process, 'exit');
    // For the end of a run that is killed.
    writeFileSync(join(folder, 'pgbouncer.pid'), String(process.pid));
    const failed = ended.then(() => Promise.reject(new Error('PgBouncer does not start: install pgbouncer')));
    failed.catch(() => undefined);
    await Promise.race([failed, eventually(() => accepts(port))]);
    return { process, ended };
  };
  let running = await launch();
  const end = async () => {
    running.process.kill();
    await running.ended;
  };
  return {
    through: (serverUrl, password) => {
      const url = new URL(serverUrl);
      url.port = String(port);
      if (password !== undefined) url.password = password;
      return url.href;
    },
    restart: async () => {
      await end();
      running = await launch();
    },
    drain: async () => {
      const drainScript = readFileSync(join(root, 'deploy/pgbouncer/drain.sh'), 'utf8');
      const [code] = (await once(start(drainScript, String(running.process.pid), environment), 'exit')) as [number];
      if (code !== 0) throw new Error(`drain.sh ended with ${code}`);
    },
    finish: async () => {
      running.process.kill('SIGINT');
      const [code] = (await running.ended) as [number];
      return code;
    },
    stop: async () => {
      await end();
      remove();
    },
  };
}

const environmentOf = (appUrl: string, systemUrl: string, folder: string): NodeJS.ProcessEnv => {
  const { hostname, port, pathname, password } = new URL(appUrl);
  return {
    PATH: `${process.env.PATH}:/usr/sbin`,
    POSTGRES_HOST: hostname,
    POSTGRES_PORT: port,
    POSTGRES_DATABASE: pathname.slice(1),
    POSTGRES_TLS: 'disable',
    PGBOUNCER_RUN_DIR: join(folder, 'run'),
    SPOOLED_APP_PASSWORD: password,
    SPOOLED_SYSTEM_PASSWORD: new URL(systemUrl).password,
  };
};

/** The script comes over the command line, because the other user may not read the checkout. */
function start(script: string, argument: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('bash', ['-c', script, 'script', argument], { env, stdio: 'ignore', ...identity });
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
