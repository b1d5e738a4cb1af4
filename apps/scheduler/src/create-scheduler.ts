import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { nestOptions, withPlatform } from '@spooled/platform';
import type { SchedulerService } from './scheduler.config.js';
import { SchedulerModule } from './scheduler.module.js';
import { TaskRunner } from './tasks/task-runner.js';

/** The service, ready to run tasks. */
export const createScheduler = (service: SchedulerService): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(withPlatform(SchedulerModule, service), nestOptions(service));

/** Begins to run tasks; they stop before the application does. */
export function runTasks(app: INestApplicationContext, service: SchedulerService): void {
  const runner = app.get(TaskRunner);
  runner.start();
  service.onStop('tasks', () => runner.stop());
}
