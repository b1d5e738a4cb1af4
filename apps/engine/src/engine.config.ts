import type { ProductMetrics } from '@spooled/contracts';
import {
  integer,
  type Metrics,
  serverSettings,
  type ServiceContext,
  setting,
  type SettingsOf,
  telemetrySettings,
} from '@spooled/platform';
import { databaseSettings, redisSettings } from '@spooled/service';

/** All settings of this service. */
export const engineSettings = {
  ...serverSettings,
  ...telemetrySettings,
  ...databaseSettings,
  ...redisSettings,
  ENGINE_MAX_IN_FLIGHT: setting(
    integer({ min: 1, max: 100_000 }).default(2000),
    'Maximum commands in flight in this process; at the limit, reading stops.',
  ),
};

export type EngineSettings = SettingsOf<typeof engineSettings>;
export type EngineService = ServiceContext<EngineSettings, Metrics<ProductMetrics>>;
