import { type batchSchemas, JsonDocument } from '@spooled/contracts';
import type { BatchRow } from '@spooled/data-access';
import { planLimits } from '@spooled/domain';
import { batchJobPage } from './batch-pages.js';
import { toBatchResponse } from './batch-responses.js';
import { newBatch } from './new-batch.js';

describe('a new batch', () => {
  const rules = (more: object = {}) => ({
    maxBytes: 1_000,
    limits: planLimits('starter', {}, { max_open_batches: 1, ...more }),
    policy: { production: true, httpHosts: [] },
  });
  const body = (more: object = {}) => more as batchSchemas.CreateBatchBody;
  const job = (more: object = {}) => ({ queue_name: 'reports', payload: new JsonDocument({}), ...more });

  it('has its callback jobs, and the limit of its plan', () => {
    const given = { name: 'Import', metadata: new JsonDocument({ a: 1 }), on_success: job(), on_death: job() };
    const { batch, callbacks, maxOpenBatches } = newBatch(body(given), rules());
    expect(batch).toEqual({ id: expect.any(String), name: 'Import', metadata: '{"a":1}' });
    expect(Object.keys(callbacks)).toEqual(['on_success', 'on_death']);
    expect(callbacks.on_death).toMatchObject({ queueName: 'reports', payload: '{}' });
    expect(maxOpenBatches).toBe(1);
    expect(newBatch(body(), rules({ max_open_batches: null }))).toMatchObject({
      ...{ batch: { name: null, metadata: null }, callbacks: {}, maxOpenBatches: null },
    });
  });

  it('is refused by a plan without batches, which names the one that has them', () => {
    const extras = { error: 'feature_disabled', feature: 'batches', plan: 'starter', upgrade_to: 'pro' };
    expect(() => newBatch(body(), rules({ max_open_batches: 0 }))).toThrow(expect.objectContaining({ extras }));
  });

  it('names the callback job that is wrong', () => {
    const wrong = body({ on_death: job({ callback_url: 'http://10.0.0.1/' }) });
    const details = { 'on_death.callback_url': expect.any(String) };
    expect(() => newBatch(wrong, rules())).toThrow(expect.objectContaining({ details }));
  });
});

describe('the jobs of a batch that wait', () => {
  const row: Partial<BatchRow> = {
    total_jobs: 10,
    succeeded_jobs: 1,
    failed_jobs: 2,
    cancelled_jobs: 3,
    running_jobs: 1,
    metadata: null,
  };
  const pending = (more: Partial<BatchRow>) =>
    (JSON.parse(toBatchResponse({ ...row, ...more } as BatchRow)) as batchSchemas.Batch).pending_jobs;

  it('are those that neither run nor have ended', () => {
    expect(pending({})).toBe(3);
  });

  it('are never fewer than none, as one that ends during the query may count twice', () => {
    expect([pending({ running_jobs: 4 }), pending({ running_jobs: 5 })]).toEqual([0, 0]);
  });
});

it.each(['after', 'cursor'])(
  'a page of the jobs of a batch names the parameter that is no cursor: %s',
  async (name) => {
    const page = batchJobPage({} as never, 'a', { limit: 1, offset: 0, [name]: 'x' });
    await expect(page).rejects.toMatchObject({ status: 400, details: { [name]: expect.any(String) } });
  },
);
