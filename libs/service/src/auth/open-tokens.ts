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

/** @throws SettingsError in production without a secret, or with a short one; with a previous secret and no current one */
export function openTokens({
  settings,
  logger,
}: Pick<ServiceContext<TokenSettings, never>, 'settings' | 'logger'>): AccessTokens {
  const { JWT_SECRET: given, JWT_SECRET_PREVIOUS: previous, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  if (isProduction(settings)) {
    if (given === undefined) throw invalid('JWT_SECRET', 'is required in production');
    requireLength('JWT_SECRET', given);
    requireLength('JWT_SECRET_PREVIOUS', previous);
  }
  if (previous !== undefined && given === undefined)
    throw invalid('JWT_SECRET', 'is required with JWT_SECRET_PREVIOUS');
  if (given === undefined) logger.warn('no JWT_SECRET: access tokens are valid only in this process, until restart');
  const current = given ?? randomBytes(shortestTokenSecret).toString('base64url');
  return new AccessTokens({ current, previous }, { issuer, audience });
}

/** Who guesses the previous secret can forge tokens, too. */
function requireLength(name: string, value: string | undefined): void {
  if (value !== undefined && value.length < shortestTokenSecret)
    throw invalid(name, `must have at least ${shortestTokenSecret} characters`);
}

const invalid = (name: string, reason: string): SettingsError => new SettingsError([{ name, reason }]);
