import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { nestOptions, runService, withPlatform } from '@spooled/platform';
import { CommandStreamServer } from '@spooled/transport';
import { engineSettings } from './engine.config.js';
import { EngineModule } from './engine.module.js';

await runService({
  name: 'engine',
  settings: engineSettings,
  metrics: productMetrics,
  start: async (service) => {
    const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(withPlatform(EngineModule, service), {
      ...nestOptions(service),
      inject: [CommandStreamServer],
      useFactory: (strategy: CommandStreamServer) => ({ strategy }),
    });
    await app.get(Database).verifyRoles();
    service.onStop('commands', () => app.close());
    await app.listen();
  },
});
