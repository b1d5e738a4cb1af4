import { parsePlanOverrides, type PlanOverrides } from '@spooled/domain';
import { readSettings, serverSettings, type SettingsOf } from '@spooled/platform';
import { callbackPolicy, callbackSettings, type NewJobRules, newJobSettings, workerSettings } from '@spooled/service';

const { SPOOLED_ENV } = serverSettings;
const declared = { SPOOLED_ENV, ...newJobSettings, ...workerSettings, ...callbackSettings };

/** What operators set for services, under the same names and with the same defaults. */
export interface EmbeddedSettings extends SettingsOf<typeof declared> {
  policy: NewJobRules['policy'];
  overrides: PlanOverrides;
}

/** @throws Error naming the variables that are wrong */
export function readEmbeddedSettings(env: NodeJS.ProcessEnv): EmbeddedSettings {
  const settings = readSettings(declared, env);
  return { ...settings, policy: callbackPolicy(settings), overrides: parsePlanOverrides(env) };
}
