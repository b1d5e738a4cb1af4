import type { AppLogger, SettingsOf } from '@spooled/platform';
import type { FastifyInstance } from 'fastify';
import type { addressSettings } from '../settings/limit.settings.js';

type Settings = Partial<Pick<SettingsOf<typeof addressSettings>, 'TRUSTED_CLIENT_IP_HEADER' | 'TRUSTED_PROXY_HOPS'>>;

/** Warns once if there seems to be a proxy that the settings do not name: all its callers would share the limits of one address. */
export function warnOfIgnoredProxies(
  fastify: FastifyInstance,
  { TRUSTED_CLIENT_IP_HEADER: header, TRUSTED_PROXY_HOPS: hops }: Settings,
  logger: AppLogger,
): void {
  if (header !== undefined || hops !== 0) return;
  let isKnown = false;
  fastify.addHook('onRequest', ({ headers, socket }, _reply, done) => {
    if (!isKnown && headers['x-forwarded-for'] !== undefined) {
      isKnown = true;
      logger.warn(
        { address: socket.remoteAddress },
        'X-Forwarded-For is ignored because TRUSTED_PROXY_HOPS is 0: behind a proxy all callers share the limits of its address',
      );
    }
    done();
  });
}
