import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpService, HttpErrorsModule, serveConsole } from '@spooled/service';
import type { ConsoleServerService } from './console-server.config.js';

@Module({ imports: [HttpErrorsModule] })
class ConsoleServerModule {}

/**
 * The console's files with the headers of the gateway (BX-16), for deployments in which an ingress routes /console here and everything
 * else to the gateway.
 * @param folder of the build; default: where `npm run build` puts it
 * @throws Error if the console is not built
 */
export async function createConsoleServer(
  service: ConsoleServerService,
  folder?: string,
): Promise<NestFastifyApplication> {
  const app = await createHttpService(ConsoleServerModule, service, {});
  if (!serveConsole(app.getHttpAdapter().getInstance(), { folder })) throw new Error('The console is not built');
  return app;
}
