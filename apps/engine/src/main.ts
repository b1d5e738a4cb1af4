import { productMetrics } from '@spooled/contracts';
import { runService } from '@spooled/platform';
import { startApp } from '@spooled/service';
import { createEngine } from './create-engine.js';
import { engineSettings } from './engine.config.js';

await runService({
  name: 'engine',
  settings: engineSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createEngine(service);
    await startApp(app, service, () => app.listen());
  },
});
