import type { CallbackPolicy } from '@spooled/domain';
import {
  commaList,
  isProduction,
  type ServerSettings,
  setting,
  SettingsError,
  type SettingsOf,
} from '@spooled/platform';
import { z } from 'zod';

const hostName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be a host name without scheme and port');

/** Where webhooks and push calls may go. */
export const callbackSettings = {
  CALLBACK_HTTP_HOSTS: setting(
    commaList(hostName).default([]),
    'For development: hosts besides localhost to which webhooks and push calls may be sent by plain HTTP, such as host.docker.internal. Refused in production.',
  ),
};

/** The rule for URLs of tenants. @throws SettingsError for hosts that may be called by plain HTTP in production */
export function callbackPolicy(
  settings: SettingsOf<typeof callbackSettings> & Pick<ServerSettings, 'SPOOLED_ENV'>,
): CallbackPolicy {
  const production = isProduction(settings);
  const { CALLBACK_HTTP_HOSTS: httpHosts } = settings;
  if (production && httpHosts.length > 0) {
    throw new SettingsError([{ name: 'CALLBACK_HTTP_HOSTS', reason: 'must be empty in production' }]);
  }
  return { production, httpHosts };
}
