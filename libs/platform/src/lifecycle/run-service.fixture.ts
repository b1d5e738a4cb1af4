import { runService, serverSettings, setting, telemetrySettings } from '../index.js';
import { z } from 'zod';

/** A service for run-service.spec.ts: starts two parts and then fails as FAILURE says. */
const settings = {
  ...serverSettings,
  ...telemetrySettings,
  FAILURE: setting(
    z.enum(['reject', 'throw', 'hang-at-stop', 'fail-at-start', 'long-log']).optional(),
    'The failure to simulate.',
  ),
};

await runService({
  name: 'fixture',
  settings,
  metrics: { greetings: { type: 'counter', name: 'greetings_total', help: 'Greetings.' } },
  start: async (service) => {
    const { FAILURE } = service.settings;
    service.onStop('store', () => service.logger.info('store closed'));
    if (FAILURE === 'fail-at-start') throw new Error('the store is unavailable');
    const hang = FAILURE === 'hang-at-stop' ? new Promise<void>(() => {}) : undefined;
    service.onStop('server', () => {
      service.logger.info({ draining: service.health.draining, aborted: service.stopping.aborted }, 'server closed');
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
