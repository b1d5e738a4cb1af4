export { openAnnouncer } from './announcer.js';
export { openCommandPath, openLocalEngine } from './open-command-path.js';
export { openDatabase, openRedis } from './open-stores.js';
export { commandSettings, databaseSettings, redisSettings } from './store-settings.js';
export { type LimitCheck, openRateLimiter, rateLimitSettings } from './rate-limits.js';
export { credentialCache } from './shared-credentials.js';
