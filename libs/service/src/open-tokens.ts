import { randomBytes } from 'node:crypto';
import { secret, setting, SettingsError, type ServiceContext } from '@spooled/platform';
import { z } from 'zod';
import { AccessTokens } from './access-tokens.js';

const shortestSecret = 32;

/** What signs tokens; the same for every process that issues or reads them. */
export const tokenSettings = {
  JWT_SECRET: setting(
    secret().optional(),
    `Signs access tokens; at least ${shortestSecret} characters and required in production. Elsewhere unset = a new one at each start, of this process alone.`,
  ),
  JWT_ISSUER: setting(z.string().min(1).default('spooled'), 'Who issues access tokens (`iss`); others are refused.'),
  JWT_AUDIENCE: setting(
    z.string().min(1).default('spooled-api'),
    'For whom access tokens are (`aud`); others are refused. Tell deployments apart that share a JWT_SECRET.',
  ),
};

interface TokenSettings {
  JWT_SECRET?: string | undefined;
  JWT_ISSUER: string;
  JWT_AUDIENCE: string;
  RUST_ENV: string;
}

/** @throws SettingsError in production without a secret, or with a short one */
export function openTokens({
  settings,
  logger,
}: Pick<ServiceContext<TokenSettings, never>, 'settings' | 'logger'>): AccessTokens {
  const { JWT_SECRET: given, JWT_ISSUER: issuer, JWT_AUDIENCE: audience, RUST_ENV } = settings;
  if (RUST_ENV === 'production' && (given?.length ?? 0) < shortestSecret) {
    const reason =
      given === undefined ? 'is required in production' : `must have at least ${shortestSecret} characters`;
    throw new SettingsError([{ name: 'JWT_SECRET', reason }]);
  }
  if (given === undefined) logger.warn('no JWT_SECRET: access tokens hold only in this process and until it ends');
  return new AccessTokens(given ?? randomBytes(shortestSecret).toString('base64url'), { issuer, audience });
}
