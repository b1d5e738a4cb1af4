import { randomBytes } from 'node:crypto';
import {
  isProduction,
  SettingsError,
  type ServerSettings,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';
import { shortestTokenSecret, type tokenSettings } from '../settings/auth.settings.js';
import { AccessTokens } from './access-tokens.js';

type TokenSettings = SettingsOf<typeof tokenSettings> & Pick<ServerSettings, 'SPOOLED_ENV'>;

/** @throws SettingsError in production without a secret, or with a short one */
export function openTokens({
  settings,
  logger,
}: Pick<ServiceContext<TokenSettings, never>, 'settings' | 'logger'>): AccessTokens {
  const { JWT_SECRET: given, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  if (isProduction(settings) && (given?.length ?? 0) < shortestTokenSecret) {
    const reason =
      given === undefined ? 'is required in production' : `must have at least ${shortestTokenSecret} characters`;
    throw new SettingsError([{ name: 'JWT_SECRET', reason }]);
  }
  if (given === undefined) logger.warn('no JWT_SECRET: access tokens are valid only in this process, until restart');
  return new AccessTokens(given ?? randomBytes(shortestTokenSecret).toString('base64url'), { issuer, audience });
}
