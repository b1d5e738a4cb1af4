import { isObject } from './json-schema/node.js';
import { planFields, planTiers, type PlanNumbers, type PlanTier } from './plan-numbers.js';

/** An operator's overrides of plan limits, by tier. */
export type PlanOverrides = Partial<Record<PlanTier, Partial<PlanNumbers>>>;

/** Variables name a field in capitals, one by a shorter word. */
const shortNames: Partial<Record<keyof PlanNumbers, string>> = {
  rate_limit_requests_per_second: 'RATE_LIMIT_RPS',
};

/** Represents "unlimited" in fields that must be a number; fits the 32-bit integers of every SDK. */
export const practicallyUnlimited = 2_147_483_647;

const countable: ReadonlySet<keyof PlanNumbers> = new Set([
  'max_jobs_per_day',
  'max_active_jobs',
  'max_queues',
  'max_workers',
  'max_api_keys',
  'max_schedules',
  'max_workflows',
  'max_open_batches',
  'max_webhooks',
  'max_push_calls',
]);

const unlimitedWords: readonly unknown[] = [null, -1, 'unlimited', 'none', 'null', '-1'];

/**
 * Reads all forms of plan settings, weakest first: SPOOLED_PLAN_LIMITS_JSON (by tier), SPOOLED_PLAN_<TIER>_LIMITS_JSON,
 * SPOOLED_PLAN_<TIER>_<FIELD>. `unlimited`, `none`, `null` and `-1` lift a limit.
 * @throws Error naming the variable and what is wrong with it
 */
export function parsePlanOverrides(env: Record<string, string | undefined>): PlanOverrides {
  const everyTier = jsonObject('SPOOLED_PLAN_LIMITS_JSON', env.SPOOLED_PLAN_LIMITS_JSON);
  const unknown = Object.keys(everyTier).find((tier) => !(planTiers as readonly string[]).includes(tier));
  if (unknown !== undefined) throw new Error(`SPOOLED_PLAN_LIMITS_JSON: unknown plan "${unknown}"`);
  const overrides: PlanOverrides = {};
  for (const tier of planTiers) {
    const ofTier = `SPOOLED_PLAN_${tier.toUpperCase()}`;
    const merged = {
      ...strictValues('SPOOLED_PLAN_LIMITS_JSON', everyTier[tier] ?? {}),
      ...strictValues(`${ofTier}_LIMITS_JSON`, jsonObject(`${ofTier}_LIMITS_JSON`, env[`${ofTier}_LIMITS_JSON`])),
      ...singleValues(ofTier, env),
    };
    if (Object.keys(merged).length > 0) overrides[tier] = merged;
  }
  return overrides;
}

/** The members of a JSON object that are limits; others are ignored. */
export function limitValues(value: unknown): Partial<PlanNumbers> {
  if (!isObject(value)) return {};
  const limits: Partial<PlanNumbers> = {};
  for (const name of planFields) {
    const limit = name in value ? limitOf(name, value[name]) : undefined;
    if (limit !== undefined) limits[name] = limit as number;
  }
  return limits;
}

function strictValues(variable: string, value: unknown): Partial<PlanNumbers> {
  if (!isObject(value)) throw new Error(`${variable}: each plan must be a JSON object`);
  const limits = limitValues(value);
  const wrong = Object.keys(value).find((name) => !(name in limits));
  if (wrong !== undefined) throw new Error(`${variable}: "${wrong}" is not a limit or not a valid number`);
  return limits;
}

function singleValues(prefix: string, env: Record<string, string | undefined>): Partial<PlanNumbers> {
  const limits: Partial<PlanNumbers> = {};
  for (const name of planFields) {
    const variable = `${prefix}_${shortNames[name] ?? name.toUpperCase()}`;
    const text = env[variable]?.trim();
    if (!text) continue;
    const limit = limitOf(name, /^\d+$/.test(text) ? Number(text) : text.toLowerCase());
    if (limit === undefined) throw new Error(`${variable}: expected a whole number from 0 up, or "unlimited"`);
    limits[name] = limit as number;
  }
  return limits;
}

/** A limit, null for unlimited; undefined when the value is neither. */
function limitOf(name: keyof PlanNumbers, value: unknown): number | null | undefined {
  if (unlimitedWords.includes(value)) return countable.has(name) ? null : practicallyUnlimited;
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function jsonObject(variable: string, text: string | undefined): Record<string, unknown> {
  if (!text?.trim()) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below, without the text: it may be long.
  }
  throw new Error(`${variable}: expected a JSON object`);
}
