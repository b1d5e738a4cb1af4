import { Module } from '@nestjs/common';
import { WakeupListener, type WakeupListenerState } from '@spooled/data-access';
import { type AppLogger, SERVICE, type ServiceContext, type SettingsOf } from '@spooled/platform';
import type { RedisShards } from '@spooled/transport';
import { provider } from '../provider.js';
import type { databaseSettings, wakeupSettings } from '../settings/store.settings.js';
import { REDIS } from '../tokens.js';
import { QueueWakeups } from './queue-wakeups.js';

type WakeupService = ServiceContext<SettingsOf<typeof databaseSettings & typeof wakeupSettings>>;

function openListener({ name, settings, logger, onStop }: WakeupService): WakeupListener {
  const listener = new WakeupListener({
    url: settings.DATABASE_LISTEN_URL ?? settings.DATABASE_URL,
    applicationName: `spooled ${name} wake-ups`,
    queryTimeoutMs: settings.DATABASE_QUERY_TIMEOUT_MS,
    onChange: (state) => logState(logger, state),
  });
  onStop('wake-ups of embedded processes', () => listener.close());
  return listener;
}

function logState(logger: AppLogger, state: WakeupListenerState): void {
  const lost = 'wake-ups of embedded processes are not received; their jobs are found by polling';
  if (state.listening) logger.info('wake-ups of embedded processes are received');
  else if ('error' in state) logger.warn({ err: state.error, dependency: 'PostgreSQL' }, lost);
  else logger.info(`${lost}: the address leads through a pooler; set DATABASE_LISTEN_URL to PostgreSQL itself`);
}

const openWakeups = (redis: RedisShards | null, listener: WakeupListener): QueueWakeups =>
  new QueueWakeups(redis, listener);

/** For what waits for jobs: `QueueWakeups`. */
@Module({
  providers: [
    provider(WakeupListener, openListener, [SERVICE]),
    provider(QueueWakeups, openWakeups, [REDIS, WakeupListener]),
  ],
  exports: [QueueWakeups],
})
export class WakeupsModule {}
