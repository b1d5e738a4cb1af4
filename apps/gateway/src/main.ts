import { productMetrics } from '@spooled/contracts';
import { Database, findOrganization } from '@spooled/data-access';
import { runService } from '@spooled/platform';
import { createGateway, openTunnel } from './create-gateway.js';
import { GrpcServer } from './grpc-server/grpc-server.js';
import { gatewaySettings } from './gateway.config.js';

const nobody = '00000000-0000-0000-0000-000000000000';

await runService({
  name: 'gateway',
  settings: gatewaySettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await createGateway(service);
    const database = app.get(Database);
    await database.verifyRoles();
    // Loads the models: the first use takes up to a second, which no caller should wait for.
    await database.withTenantModels(nobody, findOrganization);
    service.onStop('REST', () => app.close());
    openTunnel(app, service);
    const grpc = app.get(GrpcServer);
    service.onStop('gRPC', () => grpc.close());
    await grpc.listen();
    await app.listen(service.settings.PORT, service.settings.HOST);
  },
});
