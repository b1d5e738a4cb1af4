/** Injects the Redis shards, null in a deployment without Redis: `@Inject(REDIS) redis: RedisShards | null`. */
export const REDIS = Symbol('redis');

/**
 * Injects the credential cache that all processes share, null without Redis; it also publishes changed settings:
 * `@Inject(SHARED_CREDENTIALS) shared: RedisCredentialCache | null`.
 */
export const SHARED_CREDENTIALS = Symbol('shared credentials');

/** Injects the clock of this process, which a spec may replace: `@Inject(CLOCK) clock: Clock`. */
export const CLOCK = Symbol('clock');

/** Injects the operator's overrides of the plans: `@Inject(PLAN_OVERRIDES) overrides: PlanOverrides`. */
export const PLAN_OVERRIDES = Symbol('plan overrides');
