import { queueSettingNames } from '@spooled/domain';
import type { KnownQueueSettings, QueueSettings } from '@spooled/sdk';

it('has a type for each setting of a queue that the server uses', () => {
  const typed: Record<keyof KnownQueueSettings, true> = {
    push: true,
    callback_url: true,
    callback_headers: true,
    callback_secret: true,
    callback_timeout_seconds: true,
    concurrency: true,
    retry_strategy: true,
    retry_delay_ms: true,
    backoff_multiplier: true,
    max_retry_delay_ms: true,
    retry_jitter_ms: true,
    retry_jitter_ratio: true,
    cause_report_jobs: true,
    cause_report_minutes: true,
  };
  expect(Object.keys(typed).sort()).toEqual([...queueSettingNames].sort());
  // @ts-expect-error Settings are not converted, so the server would not know this name.
  const camel: QueueSettings = { retryStrategy: 'fixed' };
  expect({ ...camel, team: 'x' } satisfies QueueSettings).toBeDefined();
});
