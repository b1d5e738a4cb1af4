import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database } from '@spooled/data-access';
import type { HttpSettings, ServerSettings, ServiceContext } from '@spooled/platform';

/**
 * Starts a built application after checking the database roles. The application stops before the stores that it uses.
 * @throws Error for a role that may bypass row-level security
 */
export async function startApp(
  app: INestApplicationContext,
  service: Pick<ServiceContext, 'onStop'>,
  begin: () => Promise<unknown> | void,
): Promise<void> {
  await app.get(Database).verifyRoles();
  service.onStop('application', () => app.close());
  await begin();
}

type HttpService = Pick<ServiceContext<ServerSettings & HttpSettings>, 'onStop' | 'settings'>;

/** As `startApp`; listens once `prepare` has run. */
export const startHttpApp = (
  app: NestFastifyApplication,
  service: HttpService,
  prepare: () => Promise<unknown> | void = () => undefined,
): Promise<void> =>
  startApp(app, service, async () => {
    await prepare();
    await app.listen(service.settings.PORT, service.settings.HOST);
  });
