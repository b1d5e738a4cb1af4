import { productMetrics } from '@spooled/contracts';
import { runService } from '@spooled/platform';
import { startHttpApp } from '@spooled/service';
import { createWebhooks } from './create-webhooks.js';
import { webhooksSettings } from './webhooks.config.js';

await runService({
  name: 'webhooks',
  settings: webhooksSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createWebhooks(service);
    await startHttpApp(app, service);
  },
});
