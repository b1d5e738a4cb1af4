import { fromWire, toWire } from './case.js';

describe('names of the API', () => {
  it('are converted between snake_case and camelCase at any depth', () => {
    const here = { queueName: 'q', jobs: [{ idempotencyKey: 'k', dependsOn: ['a'] }], maxRetries: null };
    const there = { queue_name: 'q', jobs: [{ idempotency_key: 'k', depends_on: ['a'] }], max_retries: null };
    expect(toWire(here)).toEqual(there);
    expect(fromWire(there)).toEqual(here);
    expect(fromWire({ completed_24h: 1 })).toEqual({ completed24h: 1 });
  });

  it("leaves what is in users' own documents alone, both ways", () => {
    const own = { snake_case: { camelCase: [{ Mixed_Case: 1 }] } };
    for (const name of ['payload', 'result', 'metadata', 'tags', 'settings']) {
      expect(toWire({ [name]: own })).toEqual({ [name]: own });
      expect(fromWire({ [name]: own })).toEqual({ [name]: own });
    }
    expect(toWire({ payloadTemplate: own, customLimits: own })).toEqual({ payload_template: own, custom_limits: own });
    expect(fromWire({ payload_template: own })).toEqual({ payloadTemplate: own });
    expect(toWire({ callbackHeaders: { xTenant: 'a' } })).toEqual({ callback_headers: { xTenant: 'a' } });
  });

  it('leave dates to their JSON form', () => {
    const at = new Date(0);
    expect(JSON.stringify(toWire({ scheduledAt: at }))).toBe('{"scheduled_at":"1970-01-01T00:00:00.000Z"}');
  });
});
