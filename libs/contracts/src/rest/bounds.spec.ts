import { jest } from '@jest/globals';
import { createWebhookBody } from './outgoing-webhooks.js';
import { createJobBody, deadLetterPurgeBody } from './jobs.js';
import { queueConfigBody } from './queues.js';
import { validationError } from './validation-error.js';
import { createWorkflowBody } from './workflows.js';
import type { z } from 'zod';

const refusal = (schema: z.ZodType, input: unknown) => {
  const { error } = schema.safeParse(input);
  return error && validationError(error.issues, input);
};

/** A list or an object that reports each of its members that is read. */
function watched<T extends object>(value: T, read: (name: string | symbol) => void): T {
  const get = (target: T, name: string | symbol) => {
    if (Object.hasOwn(target, name) && name !== 'length') read(name);
    return Reflect.get(target, name) as unknown;
  };
  return new Proxy(value, { get });
}

const webhook = { name: 'n', url: 'https://example.com' };
const settings = Object.fromEntries(Array.from({ length: 25_000 }, (_, i) => [`k${i}`, i]));
/** More than any list or text may have. */
const most = 10_000;

describe('bounds of a request', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, z.ZodType, object, string]>([
    ['a list', createWebhookBody, { ...webhook, events: Array(100_000).fill('x') }, 'events'],
    ['a list of ids', deadLetterPurgeBody, { job_ids: Array(100_000).fill(1) }, 'job_ids'],
    ['an object', queueConfigBody, { settings }, 'settings'],
  ])('are checked before what is inside: %s', (_what, schema, input, field) => {
    let read = 0;
    const inside = (input as Record<string, object>)[field]!;
    const error = refusal(schema, { ...input, [field]: watched(inside, () => read++) });
    expect(error).toMatchObject({ status: 400, details: { [field]: expect.stringMatching(/at most/) } });
    expect(read).toBeLessThan(most);
  });

  it.each([
    ['scheduled_at', `2030-01-01T00:00:00.${'1'.repeat(4.5e6)}Z`],
    ['queue_name', 'é'.repeat(2.4e6)],
  ])('are checked before the pattern of a text: %s', (field, text) => {
    // Counting the characters looks for surrogates, which is no pattern of a field.
    const surrogates = '[\\uD800-\\uDBFF]';
    const tested: unknown[] = [];
    for (const method of ['test', 'exec'] as const) {
      const original = RegExp.prototype[method] as (text: string) => never;
      jest.spyOn(RegExp.prototype, method).mockImplementation(function (this: RegExp, read: string) {
        if (read.length > most && this.source !== surrogates) tested.push(this);
        return original.call(this, read);
      });
    }
    const error = refusal(createJobBody, { queue_name: 'q', payload: 1, [field]: text });
    expect(error).toMatchObject({ status: 400, details: { [field]: expect.stringMatching(/at most/) } });
    expect(tested).toEqual([]);
  });

  it('reports 20 problems of many, those first that decide the status', () => {
    const jobs = Array.from({ length: 100 }, () => ({ key: 'k!', queue_name: '-', payload: 1, priority: 1000 }));
    const error = refusal(createWorkflowBody, { name: 7, jobs })!;
    expect(error.status).toBe(422);
    expect(Object.keys(error.details!)).toHaveLength(20);
    expect(error.details).toHaveProperty('name');
    expect(error.message).toMatch(/^name: /);
  });
});
