import {
  httpSettings,
  serverSettings,
  telemetrySettings,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';

/** All settings of this server. It has no credential and connects to nothing. */
export const consoleServerSettings = {
  ...serverSettings,
  ...httpSettings,
  ...telemetrySettings,
};

export type ConsoleServerService = ServiceContext<SettingsOf<typeof consoleServerSettings>>;
