import { randomBytes } from 'node:crypto';
import { secret, setting, SettingsError, type ServiceContext } from '@spooled/platform';
import { AccessTokens } from './access-tokens.js';

const shortestSecret = 32;

/** What signs tokens; the same for every process that issues or reads them. */
export const tokenSettings = {
  JWT_SECRET: setting(
    secret().optional(),
    `Signs access tokens; at least ${shortestSecret} characters and required in production. Elsewhere unset = a new one at each start, of this process alone.`,
  ),
};

interface TokenSettings {
  JWT_SECRET?: string | undefined;
  RUST_ENV: string;
}

/** @throws SettingsError in production without a secret, or with a short one */
export function openTokens({
  settings,
  logger,
}: Pick<ServiceContext<TokenSettings, never>, 'settings' | 'logger'>): AccessTokens {
  const { JWT_SECRET: given, RUST_ENV } = settings;
  if (RUST_ENV === 'production' && (given?.length ?? 0) < shortestSecret) {
    const reason =
      given === undefined ? 'is required in production' : `must have at least ${shortestSecret} characters`;
    throw new SettingsError([{ name: 'JWT_SECRET', reason }]);
  }
  if (given === undefined) logger.warn('no JWT_SECRET: access tokens hold only in this process and until it ends');
  return new AccessTokens(given ?? randomBytes(shortestSecret).toString('base64url'));
}
