import { NestFactory } from '@nestjs/core';
import { Database } from '@spooled/data-access';
import { nestOptions, runService, withPlatform } from '@spooled/platform';
import { TaskRunner } from './tasks/task-runner.js';
import { schedulerMetrics, schedulerSettings } from './scheduler.config.js';
import { SchedulerModule } from './scheduler.module.js';

await runService({
  name: 'scheduler',
  settings: schedulerSettings,
  metrics: schedulerMetrics,
  start: async (service) => {
    const app = await NestFactory.createApplicationContext(
      withPlatform(SchedulerModule, service),
      nestOptions(service),
    );
    service.onStop('Nest', () => app.close());
    await app.get(Database).verifyRoles();
    const runner = app.get(TaskRunner);
    runner.start();
    service.onStop('tasks', () => runner.stop());
  },
});
