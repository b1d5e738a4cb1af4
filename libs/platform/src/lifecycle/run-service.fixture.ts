import { StartError } from '@spooled/domain';
import { z } from 'zod';
import { serverSettings, telemetrySettings } from '../settings/process-settings.js';
import { setting } from '../settings/settings.js';
import { runService } from './run-service.js';

/** A service for run-service.spec.ts: starts two parts and then fails as FAILURE says. */
const settings = {
  ...serverSettings,
  ...telemetrySettings,
  FAILURE: setting(
    z
      .enum(['reject', 'throw', 'hang-at-stop', 'fail-at-start', 'refuse-to-start', 'long-log', 'much-garbage'])
      .optional(),
    'The failure to simulate.',
  ),
};

/** About 60 MB, dropped at once. */
function makeGarbage(): void {
  const kept = [];
  for (let i = 0; i < 500_000; i++) kept.push({ i, text: `garbage ${i}` });
}

/** Each minute is idle, and ends with SIGUSR2. */
function endMinutesBySignal(): void {
  performance.eventLoopUtilization = () => ({ idle: 60_000, active: 0, utilization: 0 });
  const { setInterval: setRealInterval } = globalThis;
  globalThis.setInterval = ((act: () => void, ms: number) => {
    if (ms === 60_000) process.on('SIGUSR2', act);
    return setRealInterval(act, ms);
  }) as typeof setInterval;
}

if (process.env.FAILURE === 'much-garbage') endMinutesBySignal();
await runService({
  name: 'fixture',
  settings,
  metrics: { greetings: { type: 'counter', name: 'greetings_total', help: 'Greetings.' } },
  start: async (service) => {
    const { FAILURE } = service.settings;
    service.onStop('store', () => service.logger.info('store closed'));
    if (FAILURE === 'much-garbage') makeGarbage();
    if (FAILURE === 'refuse-to-start') throw new StartError({ finding: 'The store is too old', remedy: 'upgrade it' });
    if (FAILURE === 'fail-at-start') throw new Error('the store is unavailable');
    const hang = FAILURE === 'hang-at-stop' ? new Promise<void>(() => {}) : undefined;
    service.onStop('server', () => {
      const { draining } = service.health;
      const heapMb = process.memoryUsage().heapTotal / 1024 ** 2;
      service.logger.info({ draining, aborted: service.stopping.aborted, heapMb }, 'server closed');
      if (FAILURE === 'long-log') service.logger.info('x'.repeat(1024 * 1024));
      return hang;
    });
    if (FAILURE === 'reject') setImmediate(() => void Promise.reject(new Error('not awaited')));
    if (FAILURE === 'throw')
      setImmediate(() => {
        throw new Error('not caught');
      });
  },
});
