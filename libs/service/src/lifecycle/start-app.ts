import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { systemClock } from '@spooled/clock';
import { bundledDatabaseRelease, Database, NotMigratedError } from '@spooled/data-access';
import { type Clock, SpooledError } from '@spooled/domain';
import { type HttpSettings, listenHttp, type ServerSettings, type ServiceContext } from '@spooled/platform';

type AppService = Pick<ServiceContext, 'onStop' | 'stopping' | 'logger'>;

const firstDelayMs = 200;
const maxDelayMs = 1_000;

/**
 * Starts a built application once PostgreSQL is available, its version and roles are checked, and it is migrated to this build. Until
 * then the service is unready. The application stops before the stores that it uses.
 * @throws Error for an unsupported server, or a role that may bypass row-level security
 */
export async function startApp(
  app: INestApplicationContext,
  service: AppService,
  begin: () => Promise<unknown> | void,
  clock: Clock = systemClock,
): Promise<void> {
  service.onStop('application', () => app.close());
  await verifyServer(app.get(Database), service, clock);
  if (!service.stopping.aborted) await begin();
}

/** Repeats the checks while PostgreSQL is unavailable or not migrated, until the service is stopped. */
async function verifyServer(database: Database, { stopping, logger }: AppService, clock: Clock): Promise<void> {
  const release = bundledDatabaseRelease();
  for (let delayMs = firstDelayMs; !stopping.aborted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await database.verifyServer({ release });
    } catch (error) {
      const waiting = { dependency: 'PostgreSQL', retry_ms: delayMs };
      if (error instanceof NotMigratedError) {
        logger.warn({ ...waiting, missing: error.missing, reason: error.message }, 'waiting for the migration');
      } else if (error instanceof SpooledError) {
        const reason = error.cause instanceof Error ? error.cause.message : error.message;
        logger.warn({ ...waiting, reason }, 'waiting for PostgreSQL');
      } else throw error;
    }
    await clock.sleep(delayMs, stopping);
  }
}

type HttpService = AppService & Pick<ServiceContext<ServerSettings & HttpSettings>, 'settings'>;

/** As `startApp`; listens once `prepare` has run. */
export const startHttpApp = (
  app: NestFastifyApplication,
  service: HttpService,
  prepare: () => Promise<unknown> | void = () => undefined,
): Promise<void> =>
  startApp(app, service, async () => {
    await prepare();
    await listenHttp(app, service.settings.PORT, service.settings.HOST);
  });
