import type { INestApplicationContext } from '@nestjs/common';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import { createScheduler, runTasks } from './create-scheduler.js';
import { schedulerMetrics, schedulerSettings, type SchedulerService } from './scheduler.config.js';

export interface TestScheduler {
  app: INestApplicationContext;
  service: SchedulerService;
  /** Its log, one JSON line per entry. */
  log: string[];
  stop(): Promise<void>;
}

/** A complete scheduler in this process; `idle`: its tasks are not started; `env`: further settings. */
export async function startScheduler(
  database: { appUrl: string; systemUrl: string },
  { redisUrl, idle = false, env }: { redisUrl?: string; idle?: boolean; env?: NodeJS.ProcessEnv } = {},
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
  return { app, service, log, stop };
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
