import { productMetrics } from '@spooled/contracts';
import { runService } from '@spooled/platform';
import { startHttpApp } from '@spooled/service';
import { createRealtime } from './create-realtime.js';
import { realtimeSettings } from './realtime.config.js';

await runService({
  name: 'realtime',
  settings: realtimeSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createRealtime(service);
    await startHttpApp(app, service);
  },
});
