import { join } from 'node:path';
import type * as Platform from '@spooled/platform';

export const root = join(import.meta.dirname, '../../..');
export const services = ['gateway', 'engine', 'scheduler', 'webhooks', 'realtime'] as const;

/** The exports of a service's `<name>.config.ts`. Loaded by path: nothing outside a service imports it as code. */
export function configOf(service: string): Promise<Record<string, unknown>> {
  return import(join(root, 'apps', service, 'src', `${service}.config.ts`)) as Promise<Record<string, unknown>>;
}

export interface SettingNames {
  /** All of them; `PREFIX_*` stands for a group. */
  names: string[];
  required: string[];
  defaults: Record<string, unknown>;
  knows(name: string): boolean;
}

/** Names of the environment variables that a service declares. */
export async function settingsOf(service: string): Promise<SettingNames> {
  const config = await configOf(service);
  // By path and only here: the library loads a web server, which most specs do not need.
  const { describeSettings } = (await import(join(root, 'libs/platform/src/settings/settings.ts'))) as typeof Platform;
  const rows = describeSettings(config[`${service}Settings`] as Platform.Declarations);
  const names = new Set(rows.map(({ name }) => name));
  const prefixes = [...names].filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return {
    names: [...names],
    defaults: Object.fromEntries(rows.map((row) => [row.name, row.default])),
    required: rows.filter((row) => row.default === null).map(({ name }) => name),
    knows: (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  };
}
