import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { runService } from '@spooled/platform';
import { createRealtime } from './create-realtime.js';
import { realtimeSettings } from './realtime.config.js';

await runService({
  name: 'realtime',
  settings: realtimeSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createRealtime(service);
    await app.get(Database).verifyRoles();
    service.onStop('streams', () => app.close());
    await app.listen(service.settings.PORT, service.settings.HOST);
  },
});
