import type { ServiceName } from '@spooled/local';
import { replicas } from './chaos-system.js';
import type { Fault } from './fault.js';

/** Errors with which a caller may come again at once. */
const retryable = new Set(['ok', '503 SERVICE_UNAVAILABLE']);
/** Answers that say nothing about the restart: the random callers ask for what has ended in the meantime. */
const conflicts = /^(404|409|400|422) /;

/** Every process is stopped in order and started again, one after the other, under load. */
export const rollingRestart: Fault = {
  name: 'rolling restart of all services',
  part: 'all services',
  endsByItself: true,
  inject: async ({ system: { stack } }) => {
    for (const service of Object.keys(replicas) as ServiceName[]) {
      for (let index = 0; index < replicas[service]; index++) {
        await stack.kill(service, index, 'SIGTERM');
        await stack.restart(service, index);
      }
    }
    return async () => undefined;
  },
  judge: ({ errors, lostLeases }) => [
    ...[...errors]
      .filter(([kind]) => !retryable.has(kind) && !conflicts.test(kind))
      .map(([kind, count]) => `${count} requests failed with ${kind}`),
    ...(lostLeases > 0 ? [`${lostLeases} attempts were lost`] : []),
  ],
};
