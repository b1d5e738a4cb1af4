import { defineJob } from '@spooled/sdk';
import { serverUrl } from '@spooled/testing';
import { expectTypeOf } from 'expect-type';
import { z } from 'zod';
import { matchers, type TestSpooled, testSpooled } from '../testing.js';

const payload = z.object({
  order: z.object({ id: z.string(), lines: z.array(z.number()) }),
  at: z.date().or(z.string()),
});
const charge = defineJob('charge', { payload, retries: 0 }).handle(({ order }) => {
  if (order.lines.length === 0) throw new Error(`Order ${order.id} is empty`);
  return { charged: order.lines.length, currency: 'EUR' };
});
const other = defineJob<{ n: number }>('other', { queue: 'shared' });

// Types are of jest.ts.
expect.extend(matchers);

describe('assertions about jobs', () => {
  let test: TestSpooled;
  const at = new Date('2030-01-01T00:00:00Z');
  beforeAll(async () => {
    test = await testSpooled(serverUrl(), { jobs: [charge] });
    await charge.enqueue(
      { order: { id: 'a', lines: [1, 2] }, at },
      { key: 'k', priority: 5, tags: { shop: 'x', n: 1 } },
    );
    await charge.enqueue({ order: { id: 'b', lines: [] }, at: 'later' });
    await test.drain();
    await charge.enqueue({ order: { id: 'c', lines: [1] }, at }, { delay: '1h' });
    await other.enqueue({ n: 1 });
  });
  afterAll(() => test?.stop());

  it('return the jobs that are as expected, with their types', async () => {
    const [charged, ...more] = await test.assertCompleted(charge, { payload: { order: { id: 'a' } } });
    expect(more).toEqual([]);
    expectTypeOf(charged!.result).toEqualTypeOf<{ charged: number; currency: string }>();
    expect(charged).toMatchObject({ key: 'k', status: 'completed', result: { charged: 2 }, failures: 0 });
    expect(await test.assertEnqueued(charge, { times: 3 })).toHaveLength(3);
    expect(await test.assertFailed(charge, { error: /b is empty$/, times: 1 })).toMatchObject([
      { payload: { at: 'later' } },
    ]);
    expect(await test.assertEnqueued(other, { payload: { n: 1 }, times: 1 })).toMatchObject([{ payload: { n: 1 } }]);
  });

  it('say what was expected, and how each job differs', async () => {
    const [a, b, c] = (await test.assertEnqueued(charge)).map(({ id }) => id);
    const lines = [
      'Expected job "charge" to have completed once',
      '  payload {"order":{"lines":[1]},"at":"2030-01-01T00:00:00.000Z"}',
      'Of its jobs none has:',
      `  ${a} completed, payload {"order":{"id":"a","lines":[1,2]},"at":"2030-01-01T00:00:00.000Z"}: payload.order.lines has 2 elements, not 1: [1,2]`,
      `  ${b} deadletter (Order b is empty), payload {"order":{"id":"b","lines":[]},"at":"later"}: not completed`,
      `  ${c} scheduled, payload {"order":{"id":"c","lines":[1]},"at":"2030-01-01T00:00:00.000Z"}: not completed`,
    ];
    await expect(test.assertCompleted(charge, { payload: { order: { lines: [1] }, at }, times: 1 })).rejects.toThrow(
      lines.join('\n'),
    );
    await expect(test.assertEnqueued(other, { times: 0 })).rejects.toThrow(
      'to have been enqueued 0 times\nOf its jobs 1 of 1 have',
    );
    await expect(test.assertFailed(defineJob('unknown'))).rejects.toThrow('No job of this name was enqueued.');
  });

  it.each<[object, string]>([
    [{ tags: { shop: 'y' } }, 'tags.shop is "x", not "y"'],
    [{ key: 'other' }, 'key is "k", not "other"'],
    [{ priority: 1 }, 'priority is 5, not 1'],
    [{ payload: { order: { id: expect.stringMatching(/^z/) } } }, 'payload.order.id is "a", not "StringMatching"'],
    [{ payload: { order: { missing: 1 } } }, 'payload.order.missing is missing, not 1'],
    [{ payload: { at: { year: 2030 } } }, 'payload.at is "2030-01-01T00:00:00.000Z", not {"year":2030}'],
    [{ payload: { order: { lines: [1, '2'] } } }, 'payload.order.lines[1] is 2, not "2"'],
  ])('%j is not met', async (expected, text) => {
    await expect(test.assertEnqueued(charge, expected)).rejects.toThrow(text);
  });

  it('refuse what they do not know', async () => {
    const assert = (expected: object) => test.assertEnqueued(charge, expected);
    await expect(assert({ payloads: {} })).rejects.toThrow('payloads: no such option');
    await expect(assert({ times: -1 })).rejects.toThrow('times: must be an integer from 0 on');
    await expect(assert({ result: 1 })).rejects.toThrow('result: no such option');
  });

  it('are matchers of expect', async () => {
    await expect(charge).toHaveBeenEnqueued({ payload: { order: { id: expect.any(String) } }, times: 3 });
    await expect(charge).toHaveCompleted({ result: { currency: 'EUR' }, times: 1 });
    await expect(charge).toHaveFailed({ times: 1, app: test.app });
    await expect(charge).not.toHaveFailed({ error: 'declined' });
    await expect(expect(charge).not.toHaveCompleted()).rejects.toThrow('Expected job "charge" not to have completed');
    await expect(expect(charge).toHaveCompleted({ times: 2 })).rejects.toThrow(
      'to have completed 2 times\nOf its jobs 1 of 3 have:',
    );
    await expect(expect('charge').toHaveCompleted()).rejects.toThrow(
      'expect(job): must be a job that defineJob has made',
    );
    const wrong = () => {
      // @ts-expect-error a payload of another type
      void expect(charge).toHaveBeenEnqueued({ payload: { order: { id: 1 } } });
      // @ts-expect-error a result of another type
      void expect(charge).toHaveCompleted({ result: { charged: 'no' } });
      // @ts-expect-error no job
      void expect(1).toHaveCompleted({ result: 1 });
    };
    expect(wrong).toBeDefined();
  });
});
