import { parsePlanOverrides, type PlanOverrides, planTiers } from '@spooled/domain';
import { readSettings, serverSettings, SettingsError, type SettingsOf } from '@spooled/platform';
import { callbackPolicy, callbackSettings, type NewJobRules, newJobSettings, workerSettings } from '@spooled/service';

const { SPOOLED_ENV } = serverSettings;
const declared = { SPOOLED_ENV, ...newJobSettings, ...workerSettings, ...callbackSettings };

/** What operators set for services with variables. An application has an environment of its own, so nothing is read from it. */
export interface EmbeddedSettings {
  /** Retries where neither the job nor its queue sets any. @default 3 */
  defaultMaxRetries?: number;
  /** Timeout in seconds where neither the job nor its queue sets one. @default 300 */
  defaultTimeoutSeconds?: number;
  /** Maximum size of a payload or result in bytes, regardless of plan. @default 1048576 */
  maxPayloadBytes?: number;
  /** Heartbeat interval of workers in seconds, by which other processes see them as offline. @default 10 */
  heartbeatSeconds?: number;
  /** Whether callbacks and completion webhooks need HTTPS. @default true */
  production?: boolean;
  /** Hosts besides localhost that may be called by plain HTTP; only with `production: false`. */
  callbackHttpHosts?: string[];
  /** Limits of plans in place of the built-in ones, such as `{ free: { max_active_jobs: 10 } }`; null = unlimited. */
  planLimits?: Partial<Record<'free' | 'starter' | 'pro' | 'enterprise', Record<string, number | null>>>;
}

/** The settings with their defaults, as the libraries of the services take them. */
export interface ResolvedSettings extends SettingsOf<typeof declared> {
  policy: NewJobRules['policy'];
  overrides: PlanOverrides;
}

const variables = {
  defaultMaxRetries: 'QUEUE_DEFAULT_MAX_RETRIES',
  defaultTimeoutSeconds: 'QUEUE_DEFAULT_TIMEOUT_SECS',
  maxPayloadBytes: 'QUEUE_MAX_PAYLOAD_SIZE_BYTES',
  heartbeatSeconds: 'WORKER_HEARTBEAT_INTERVAL_SECS',
  callbackHttpHosts: 'CALLBACK_HTTP_HOSTS',
} as const satisfies Partial<Record<keyof EmbeddedSettings, keyof typeof declared>>;

const optionOf = new Map<string, string>(Object.entries(variables).map(([option, variable]) => [variable, option]));
const names = new Set<string>([...Object.keys(variables), 'production', 'planLimits']);

/** Bounds and defaults are those that the services declare. @throws TypeError naming the options that are wrong */
export function resolveSettings(settings: EmbeddedSettings): ResolvedSettings {
  const unknown = Object.keys(settings).find((name) => !names.has(name));
  if (unknown !== undefined) throw new TypeError(`settings.${unknown}: no such setting`);
  const { production = true } = settings;
  if (typeof production !== 'boolean') throw new TypeError('settings.production: must be a boolean');
  try {
    const read = readSettings(declared, {
      SPOOLED_ENV: production ? 'production' : 'development',
      ...Object.fromEntries(Object.entries(variables).map(([option, name]) => [name, textOf(settings, option)])),
    });
    return { ...read, policy: callbackPolicy(read), overrides: overridesOf(settings) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new TypeError(
      error.problems.map(({ name, reason }) => `settings.${optionOf.get(name) ?? name}: ${reason}`).join('; '),
      { cause: error },
    );
  }
}

/** An option as the declared settings read it, which is text. */
function textOf(settings: EmbeddedSettings, option: string): string | undefined {
  const value = settings[option as keyof EmbeddedSettings];
  return value === undefined ? undefined : String(value);
}

/** @throws TypeError for a plan or a limit that does not exist */
function overridesOf({ planLimits = {} }: EmbeddedSettings): PlanOverrides {
  const unknown = Object.keys(planLimits).find((tier) => !(planTiers as readonly string[]).includes(tier));
  if (unknown !== undefined) throw new TypeError(`settings.planLimits: unknown plan "${unknown}"`);
  try {
    return parsePlanOverrides({ SPOOLED_PLAN_LIMITS_JSON: JSON.stringify(planLimits) });
  } catch (error) {
    const reason = (error as Error).message.replace('SPOOLED_PLAN_LIMITS_JSON', 'settings.planLimits');
    throw new TypeError(reason, { cause: error });
  }
}
