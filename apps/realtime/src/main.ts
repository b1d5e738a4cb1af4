import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { createHttpApp, runService } from '@spooled/platform';
import { realtimeSettings } from './realtime.config.js';
import { RealtimeModule } from './realtime.module.js';

await runService({
  name: 'realtime',
  settings: realtimeSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createHttpApp(RealtimeModule, service);
    await app.get(Database).verifyRoles();
    service.onStop('streams', () => app.close());
    await app.listen(service.settings.PORT, service.settings.HOST);
  },
});
