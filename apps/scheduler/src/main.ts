import { runService } from '@spooled/platform';
import { startApp } from '@spooled/service';
import { createScheduler, runTasks } from './create-scheduler.js';
import { schedulerMetrics, schedulerSettings } from './scheduler.config.js';

await runService({
  name: 'scheduler',
  settings: schedulerSettings,
  metrics: schedulerMetrics,
  start: async (service) => {
    const app = await createScheduler(service);
    await startApp(app, service, () => runTasks(app, service));
  },
});
