export { type RatedClaim, QueueRates } from './queue-rates.js';
export { openEffectsPublisher } from './announcer.js';
export { openCommandPath, openLocalEngine, releaseUnclaimed } from './open-command-path.js';
export { openDatabase, openRedis } from './open-stores.js';
export { commandSettings, databaseSettings, redisSettings } from './store-settings.js';
export { AddressLimits, addressSettings, proxyTrust, type AddressCall, type AddressWindow } from './address-limits.js';
export { openRateLimiter, rateExceeded, rateHeaders, rateLimitSettings } from './rate-limits.js';
export {
  apiKeySettings,
  openAuthenticator,
  openCredentialFeed,
  openDigests,
  openRevokedSessions,
} from './open-credentials.js';
export { RevokedSessions } from './revoked-sessions.js';
export { AccessTokens, isToken, type TokenClaims, type TokenSubject, type TokenType } from './access-tokens.js';
export { openTokens, tokenSettings } from './open-tokens.js';
export { TokenAuthenticator, type AuthenticatedToken } from './token-authenticator.js';
export { longBodyBytes, readLongJson } from './long-json.js';
