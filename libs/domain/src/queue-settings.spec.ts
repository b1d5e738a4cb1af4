import { checkQueueSettings, pushTargetOf, queueSettingNames } from './queue-settings.js';

const production = { production: true };

describe('MQ-03 the settings of a queue', () => {
  it('make it a push queue when they name a URL; what makes no sense counts as absent', () => {
    expect(pushTargetOf({})).toBeNull();
    expect(pushTargetOf({ callback_url: null })).toBeNull();
    expect(pushTargetOf({ callback_url: 'https://a.example', concurrency: '9', callback_timeout_seconds: -1 })).toEqual(
      {
        url: 'https://a.example',
        secret: null,
        headers: {},
        timeoutSeconds: null,
        concurrency: 10,
      },
    );
    const headers = { 'X-Key': 'k' };
    const whole = { callback_headers: headers, callback_secret: 'shh', callback_timeout_seconds: 5, concurrency: 2 };
    expect(pushTargetOf({ callback_url: 'https://a.example', ...whole })).toEqual({
      url: 'https://a.example',
      secret: 'shh',
      headers,
      timeoutSeconds: 5,
      concurrency: 2,
    });
    expect(pushTargetOf({ push: true, callback_headers: { host: 'x' } })).toMatchObject({ url: null, headers: {} });
    expect(pushTargetOf({ push: 'yes' })).toBeNull();
  });

  it('are checked where we act on them, and only there', () => {
    const fieldOf = (settings: Record<string, unknown>) => checkQueueSettings(settings, production)?.field ?? null;
    expect(fieldOf({ anything: 'else', concurrency: 3, callback_url: 'https://a.example/jobs' })).toBeNull();
    expect(fieldOf({ concurrency: null, callback_url: null, callback_secret: null })).toBeNull();
    expect(fieldOf({ concurrency: 0 })).toBe('settings.concurrency');
    expect(fieldOf({ concurrency: 1.5 })).toBe('settings.concurrency');
    expect(fieldOf({ callback_timeout_seconds: 4000 })).toBe('settings.callback_timeout_seconds');
    expect(fieldOf({ callback_secret: '' })).toBe('settings.callback_secret');
    expect(fieldOf({ callback_url: 7 })).toBe('settings.callback_url');
    expect(fieldOf({ callback_headers: { Host: 'x' } })).toBe('settings.callback_headers');
    expect(fieldOf({ push: 'yes' })).toBe('settings.push');
    expect(fieldOf({ retry_strategy: 'expnential' })).toBe('settings.retry_strategy');
    expect(fieldOf({ retry_strategy: 'linear', retry_delay_ms: 500, backoff_multiplier: 1.5 })).toBeNull();
    expect(fieldOf({ retry_delay_ms: '5s' })).toBe('settings.retry_delay_ms');
    expect(fieldOf({ retry_delay_ms: -1 })).toBe('settings.retry_delay_ms');
    expect(fieldOf({ backoff_multiplier: 0 })).toBe('settings.backoff_multiplier');
    expect(fieldOf({ max_retry_delay_ms: 1e12 })).toBe('settings.max_retry_delay_ms');
    expect(fieldOf({ retry_jitter_ms: true })).toBe('settings.retry_jitter_ms');
    expect(fieldOf({ retry_jitter_ratio: 30 })).toBe('settings.retry_jitter_ratio');
    expect(fieldOf({ retry_strategy: null, retry_delay_ms: null })).toBeNull();
    expect(fieldOf({ payload_schema: { type: 'object' } })).toBe('settings.payload_schema');
    expect(fieldOf({ payload_schema: null })).toBeNull();
    expect(fieldOf({ push: true, callback_headers: { 'X-Key': 'k' } })).toBeNull();
  });

  it('MQ-20 are refused under a name that is almost known, with the known one; null removes it', () => {
    const problemOf = (settings: Record<string, unknown>) => checkQueueSettings(settings, production);
    const meant = (field: string, known: string) => ({
      field: `settings.${field}`,
      reason: `is unknown: use ${known}`,
    });
    expect(problemOf({ retry_stategy: 'fixed' })).toEqual(meant('retry_stategy', 'retry_strategy'));
    for (const name of queueSettingNames.filter((name) => name.includes('_'))) {
      const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      expect(problemOf({ [camel]: 1 })).toEqual(meant(camel, name));
    }
    expect(
      problemOf({ retry_stategy: null, team: 'x', paused_reason: 'y', dashboard: { retry_stategy: 1 } }),
    ).toBeNull();
  });

  it.each<[Record<string, unknown>, string | undefined]>([
    [{ concurrency: 1, callback_timeout_seconds: 1, callback_secret: 's' }, undefined],
    [{ concurrency: 10_000, callback_timeout_seconds: 3_600, callback_secret: 's'.repeat(255) }, undefined],
    [{ concurrency: 10_001 }, 'must be a whole number from 1 to 10000'],
    [{ callback_timeout_seconds: 3_601 }, 'must be a whole number from 1 to 3600'],
    [{ callback_secret: 's'.repeat(256) }, 'must be a string of 1 to 255 characters'],
    [{ callback_url: 7 }, 'must be a string'],
    [{ push: 'yes' }, 'must be true or false'],
    [{ payload_schema: {} }, 'is no setting: send the schema to PUT /api/v1/queues/{name}/payload-contract'],
  ])('are refused with a reason beyond their bounds (%#)', (settings, reason) => {
    expect(checkQueueSettings(settings, production)?.reason).toBe(reason);
  });

  it('SP-57 lead to no URL that we would not call', () => {
    const reasonOf = (url: string) => checkQueueSettings({ callback_url: url }, production)?.reason;
    expect(reasonOf('http://a.example')).toContain('HTTP not allowed');
    expect(reasonOf('https://169.254.169.254/')).toContain('Invalid webhook URL');
  });
});
