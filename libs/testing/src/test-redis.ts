import { freePort, startRedis as launchRedis, stopProcess } from '@spooled/local';
import { Redis } from 'ioredis';
import { createServerFolder } from './server-folder.js';

export interface TestRedisServer {
  port: number;
  /** Unset: it asks for none. */
  password?: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again with its data; does nothing while it runs. */
  start(): Promise<void>;
  /** Stops responding, with open connections, until `resume`. */
  pause(): void;
  resume(): void;
  /** A connection of the test's own, which the test closes. */
  connect(): Redis;
}

/** A Redis of one server, or of several behind one URL: `stop`, `kill` and `start` then apply to all servers with data. */
export interface TestRedis {
  url: string;
  /** Clean shutdown, as in a planned restart. Keeps persistent data for `start`. */
  stop(): Promise<void>;
  /** SIGKILL: connections break. */
  kill(): Promise<void>;
  /** Starts again on the same port. */
  start(): Promise<void>;
  /** The server that has the data of this organization now. */
  primaryOf(organizationId: string): Promise<TestRedisServer>;
  /** Stops and removes the files. Call it in `afterAll`. */
  close(): Promise<void>;
}

/** Several servers that replace a lost primary by its replica. */
export interface FailoverRedis extends TestRedis {
  /** A planned failover: the primary of this organization becomes a replica and keeps running. Resolves after it. */
  failover(organizationId: string): Promise<void>;
}

/** Starts a separate redis-server. With `persistent` it has an append-only file, so data survive `stop` and `start`. */
export async function startRedis({ persistent = false } = {}): Promise<TestRedis> {
  const { folder, remove } = createServerFolder('spooled-test-redis-');
  const port = await freePort();
  let server = await launchRedis({ folder, port, persistent });
  const kill = () => stopProcess(server.process, 'SIGKILL', 0);
  const start = async () => {
    server = await launchRedis({ folder, port, persistent });
  };
  const connect = () => {
    const redis = new Redis(server.url);
    redis.on('error', () => undefined);
    return redis;
  };
  const signal = (name: NodeJS.Signals) => () => void process.kill(server.process.pid, name);
  const primary = { port, kill, start, pause: signal('SIGSTOP'), resume: signal('SIGCONT'), connect };
  return {
    url: server.url,
    stop: () => server.stop(),
    kill,
    start,
    primaryOf: () => Promise.resolve(primary),
    close: async () => {
      await server.stop();
      remove();
    },
  };
}
