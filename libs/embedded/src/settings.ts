import { parsePlanOverrides, type PlanOverrides, planTiers } from '@spooled/domain';
import { readSettings, serverSettings, SettingsError, type SettingsOf } from '@spooled/platform';
import { callbackPolicy, callbackSettings, type NewJobRules, newJobSettings, workerSettings } from '@spooled/service';
import type { EmbeddedSettings } from './embedded-settings.js';

const { SPOOLED_ENV } = serverSettings;
const declared = { SPOOLED_ENV, ...newJobSettings, ...workerSettings, ...callbackSettings };

/** The settings with their defaults, as the libraries of the services take them. */
export interface ResolvedSettings extends SettingsOf<typeof declared> {
  policy: NewJobRules['policy'];
  overrides: PlanOverrides;
}

const variables = {
  defaultMaxRetries: 'QUEUE_DEFAULT_MAX_RETRIES',
  defaultTimeoutSeconds: 'QUEUE_DEFAULT_TIMEOUT_SECS',
  maxPayloadBytes: 'QUEUE_MAX_PAYLOAD_SIZE_BYTES',
  maxBatchJobs: 'BATCH_MAX_JOBS',
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
