import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { runService } from '@spooled/platform';
import { GroupCommit } from '@spooled/queue';
import { openConnections, startApp, warmUp, warmUpEngine } from '@spooled/service';
import { createEngine } from './create-engine.js';
import { engineSettings } from './engine.config.js';

await runService({
  name: 'engine',
  settings: engineSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createEngine(service);
    await startApp(app, service, async () => {
      const { DATABASE_MIN_CONNECTIONS: connections } = service.settings;
      await warmUp(
        service,
        () => openConnections(app.get(Database), connections),
        () => warmUpEngine(app.get(GroupCommit)),
      );
      await app.listen();
    });
  },
});
