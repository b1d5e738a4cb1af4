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

/** Every setting of this service. */
export const engineSettings = {
  ...serverSettings,
  ...telemetrySettings,
  ...databaseSettings,
  ...redisSettings,
  ENGINE_MAX_IN_WORK: setting(
    integer({ min: 1, max: 100_000 }).default(2000),
    'Commands that this process holds at once; beyond it nothing more is read.',
  ),
};

export type EngineSettings = SettingsOf<typeof engineSettings>;
export type EngineService = ServiceContext<EngineSettings, Metrics<ProductMetrics>>;
