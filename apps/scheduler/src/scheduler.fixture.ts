import type { INestApplicationContext } from '@nestjs/common';
import { eventually, type TestDatabase, type TestRedis, useDatabase, useForAll, useRedis } from '@spooled/testing';
import { parseShards, RedisShards } from '@spooled/transport';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import type { ScheduledTask, TaskName } from '@spooled/queue';
import { createScheduler, runTasks } from './create-scheduler.js';
import { SCHEDULED_TASKS } from './tasks/task-runner.js';
import { schedulerMetrics, schedulerSettings, type SchedulerService } from './scheduler.config.js';

export interface TestScheduler {
  app: INestApplicationContext;
  service: SchedulerService;
  /** Its log, one JSON line per entry. */
  log: string[];
  /** Runs a task now. */
  run(task: TaskName): Promise<number>;
  stop(): Promise<void>;
}

interface SchedulerOptions {
  /** Unset: it works without Redis. */
  redisUrl?: string;
  /** Its tasks are not started. */
  idle?: boolean;
  /** Further settings. */
  env?: NodeJS.ProcessEnv;
}

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Schedulers that run together on one database and one Redis. */
export interface TestSchedulers {
  /** Connections of the test's own. */
  shards: RedisShards;
  /** Those that run now. */
  running: TestScheduler[];
  /** Starts one more, which is healthy when the promise resolves and stops after the test. */
  start(options?: SchedulerOptions): Promise<TestScheduler>;
  stopAll(): Promise<void>;
}

/** A database and a Redis for all tests of a file; each test starts its schedulers on them. */
export function useSchedulers(): { database: TestDatabase; schedulers: TestSchedulers } {
  const database = useDatabase();
  const redis = useRedis();
  const schedulers = useForAll(
    () => Promise.resolve(openSchedulers(database, redis)),
    ({ shards }) => shards.close(),
  );
  beforeAll(() => eventually(() => expect(schedulers.shards.connected).toBe(true)));
  afterEach(() => schedulers.stopAll());
  return { database, schedulers };
}

/** A scheduler on this database for all tests of a file; its tasks run only when a test runs them. */
export const useIdleScheduler = (database: TestDatabase, options: SchedulerOptions = {}): TestScheduler =>
  useForAll(
    () => startScheduler(database, { idle: true, ...options }),
    ({ stop }) => stop(),
  );

function openSchedulers(database: TestDatabase, redis: TestRedis): TestSchedulers {
  const running: TestScheduler[] = [];
  return {
    shards: new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent }),
    running,
    start: async (options) => {
      const scheduler = await startScheduler(database, { redisUrl: redis.url, ...options });
      running.push(scheduler);
      await eventually(async () => expect((await scheduler.service.health.report()).status).toBe('healthy'));
      return scheduler;
    },
    stopAll: async () => {
      await Promise.all(running.splice(0).map((scheduler) => scheduler.stop()));
    },
  };
}

/** A complete scheduler in this process. */
export async function startScheduler(
  database: { appUrl: string; systemUrl: string },
  { redisUrl, idle = false, env }: SchedulerOptions = {},
): Promise<TestScheduler> {
  const log: string[] = [];
  const stops: (() => Promise<unknown> | void)[] = [];
  const service = testService(database, { REDIS_URL: redisUrl, ...env }, log, stops);
  const app = await createScheduler(service);
  stops.push(() => app.close());
  if (!idle) runTasks(app, service);
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  const tasks = app.get<ScheduledTask[]>(SCHEDULED_TASKS);
  const run = (task: TaskName) => tasks.find(({ name }) => name === task)!.run(new AbortController().signal);
  return { app, service, log, run, stop };
}

function testService(
  { appUrl, systemUrl }: { appUrl: string; systemUrl: string },
  env: NodeJS.ProcessEnv,
  log: string[],
  stops: (() => Promise<unknown> | void)[],
): SchedulerService {
  return {
    name: 'scheduler',
    version: 'spec',
    settings: readSettings(schedulerSettings, {
      DATABASE_URL: appUrl,
      DATABASE_SYSTEM_URL: systemUrl,
      DATABASE_ACQUIRE_TIMEOUT_SECS: '5',
      ...env,
    }),
    logger: createLogger({ service: 'scheduler', destination: { write: (line) => void log.push(line) } }),
    metrics: createMetrics(schedulerMetrics),
    health: new HealthChecks(),
    stopping: new AbortController().signal,
    onStop: (_part, stop) => void stops.push(stop),
    answerHealthWith: () => undefined,
  };
}
