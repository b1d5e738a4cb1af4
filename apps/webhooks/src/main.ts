import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { runService } from '@spooled/platform';
import { createWebhooks } from './create-webhooks.js';
import { webhooksSettings } from './webhooks.config.js';

await runService({
  name: 'webhooks',
  settings: webhooksSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createWebhooks(service);
    await app.get(Database).verifyRoles();
    service.onStop('HTTP', () => app.close());
    await app.listen(service.settings.PORT, service.settings.HOST);
  },
});
