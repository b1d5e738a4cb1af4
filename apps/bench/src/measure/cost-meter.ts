import { Redis } from 'ioredis';
import pg from 'pg';
import type { Costs } from '../report.js';
import { cpuSecondsOf, cpuSecondsWithChildren } from './process-times.js';

export interface MeteredProcesses {
  /** Ids by name. */
  services: Record<string, number>;
  postgres: number;
  redis: number;
}

type Reading = Awaited<ReturnType<CostMeter['read']>>;

/** Reads the cumulative resource usage of the stack, over its own connections. */
export class CostMeter {
  private constructor(
    private readonly processes: MeteredProcesses,
    private readonly postgres: pg.Client,
    private readonly redis: Redis,
  ) {}

  /** @throws Error when PostgreSQL cannot be reached */
  static async open(processes: MeteredProcesses, urls: { superuser: string; redis: string }): Promise<CostMeter> {
    const postgres = new pg.Client({ connectionString: urls.superuser, application_name: 'bench meter' });
    // A broken connection also fails the next reading, where it is reported.
    postgres.on('error', () => undefined);
    await postgres.connect();
    const redis = new Redis(urls.redis, { maxRetriesPerRequest: 1 });
    redis.on('error', () => undefined);
    return new CostMeter(processes, postgres, redis);
  }

  /** Meters a further process from now on. */
  watch(name: string, pid: number): void {
    this.processes.services[name] = pid;
  }

  forget(name: string): void {
    delete this.processes.services[name];
  }

  /** The values of cumulative counters. */
  async read() {
    const cpuSeconds = this.cpu();
    const [wal, info] = await Promise.all([
      this.postgres.query<{ bytes: string }>("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes"),
      this.redis.info('stats'),
    ]);
    return {
      cpuSeconds,
      walBytes: Number(wal.rows[0]?.bytes),
      redisCommands: Number(/^total_commands_processed:(\d+)/m.exec(info)?.[1]),
    };
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.postgres.end();
  }

  private cpu(): Record<string, number> {
    const { user, system } = process.cpuUsage();
    const { services, postgres, redis } = this.processes;
    const readings: [string, number | null][] = [
      ...Object.entries(services).map(([name, pid]): [string, number | null] => [name, cpuSecondsOf(pid)]),
      ['postgres', cpuSecondsWithChildren(postgres)],
      ['redis', cpuSecondsOf(redis)],
      ['generator', (user + system) / 1e6],
    ];
    return Object.fromEntries(readings.filter((reading): reading is [string, number] => reading[1] !== null));
  }
}

/** Usage between two readings, in total and per operation. */
export function costsBetween(before: Reading, after: Reading, operations: number): Costs {
  const perOperation = (amount: number): number => (operations > 0 ? amount / operations : 0);
  const names = Object.keys(after.cpuSeconds).filter((name) => name in before.cpuSeconds);
  const used = names.map((name) => [name, after.cpuSeconds[name]! - before.cpuSeconds[name]!] as const);
  return {
    cpuSeconds: Object.fromEntries(used),
    cpuMicrosPerOperation: Object.fromEntries(used.map(([name, seconds]) => [name, perOperation(seconds * 1e6)])),
    walBytesPerOperation: perOperation(after.walBytes - before.walBytes),
    redisCommandsPerOperation: perOperation(after.redisCommands - before.redisCommands),
  };
}
