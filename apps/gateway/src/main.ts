import { productMetrics } from '@spooled/contracts';
import { runService } from '@spooled/platform';
import { startHttpApp } from '@spooled/service';
import { createGateway, openProtocols } from './create-gateway.js';
import { gatewaySettings } from './gateway.config.js';

await runService({
  name: 'gateway',
  settings: gatewaySettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createGateway(service);
    await startHttpApp(app, service, () => openProtocols(app, service));
  },
});
