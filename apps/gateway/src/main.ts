import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { runService } from '@spooled/platform';
import { createGateway, openTunnel } from './create-gateway.js';
import { gatewaySettings } from './gateway.config.js';

await runService({
  name: 'gateway',
  settings: gatewaySettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createGateway(service);
    await app.get(Database).verifyRoles();
    service.onStop('REST', () => app.close());
    openTunnel(app, service);
    await app.listen(service.settings.PORT, service.settings.HOST);
  },
});
