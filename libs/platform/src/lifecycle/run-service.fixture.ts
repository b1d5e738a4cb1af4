import { runService, serverSettings, setting, telemetrySettings } from '../index.js';
import { z } from 'zod';

/** A service for run-service.spec.ts: it starts two parts and then misbehaves as MISBEHAVE says. */
const settings = {
  ...serverSettings,
  ...telemetrySettings,
  MISBEHAVE: setting(z.enum(['reject', 'throw', 'hang-at-stop', 'fail-at-start']).optional(), 'What goes wrong.'),
};

await runService({
  name: 'fixture',
  settings,
  metrics: { greetings: { type: 'counter', name: 'greetings_total', help: 'Greetings.' } },
  start: async (service) => {
    const { MISBEHAVE } = service.settings;
    service.onStop('store', () => service.logger.info('store closed'));
    if (MISBEHAVE === 'fail-at-start') throw new Error('the store is not there');
    const hang = MISBEHAVE === 'hang-at-stop' ? new Promise<void>(() => {}) : undefined;
    service.onStop('door', () => {
      service.logger.info({ draining: service.health.draining, aborted: service.stopping.aborted }, 'door closed');
      return hang;
    });
    if (MISBEHAVE === 'reject') setImmediate(() => void Promise.reject(new Error('nobody waits for me')));
    if (MISBEHAVE === 'throw')
      setImmediate(() => {
        throw new Error('nobody catches me');
      });
  },
});
