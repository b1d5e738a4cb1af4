import type { Transaction } from '@spooled/data-access';
import { cancelAttempts } from '../cancel/cancel-attempts.js';
import { applyFailures } from '../fail/apply-failures.js';
import { byOrganization, inGroups, succeeded } from './batch-step.js';
import { loggedOutcomes, logOutcomes } from './command-log.js';
import { EffectsBuilder } from './effects.js';
import { recordCancellations, recordDeliveries } from './record-deliveries.js';
import { TouchedWorkflows } from './touched-workflows.js';

describe('the groups of a batch', () => {
  const commands = ['c', 'a', 'b', 'a', 'c', 'b'].map((organizationId) => ({ organizationId }));

  it('are sorted by their key, so that two batches take locks in the same order', () => {
    const order = (batch: typeof commands) => inGroups(batch, byOrganization).map(({ first }) => first.organizationId);
    expect(order(commands)).toEqual(['a', 'b', 'c']);
    expect(order(commands.toReversed())).toEqual(['a', 'b', 'c']);
  });

  it('keep the numbers of their commands in the batch, in order', () => {
    const numbers = inGroups(commands, byOrganization).map(({ members }) => members.map(({ number }) => number));
    expect(numbers).toEqual([
      [1, 3],
      [2, 5],
      [0, 4],
    ]);
  });
});

describe('the batch of a statement', () => {
  const refs = ['b', 'a', 'b', 'c'].map((organizationId, n) => ({ organizationId, id: String(n), jobId: String(n) }));
  const command = ({ id, organizationId }: { id: string; organizationId: string }) => ({ id, organizationId });
  const change = { queueName: 'emails', oldStatus: 'pending', reason: null, cascades: false };
  const attempt = { retryCount: 0, maxRetries: 0, settings: null, error: 'no', event: 'failed', retry: true } as const;

  /** What writes a batch, and where its parts have their items. */
  const writers: Record<
    string,
    [items: string, write: (tx: Transaction, effects: EffectsBuilder) => Promise<unknown>]
  > = {
    deliveries: [
      'items',
      (tx, effects) => {
        const events = refs.map((ref) => ({ ...ref, event: 'job.started' as const, data: {} }));
        return recordDeliveries(tx, events, effects);
      },
    ],
    'deliveries of cancellations': [
      'items',
      (tx, effects) =>
        recordCancellations(
          tx,
          refs.map((ref) => ({ ...ref, ...change })),
          effects,
        ),
    ],
    'failed attempts': [
      'items',
      (tx, effects) => {
        const failed = refs.map((ref) => ({ ...ref, ...attempt, cancelRequested: false, backoff: false }));
        return applyFailures(tx, failed, effects, () => 0);
      },
    ],
    'cancelled attempts': [
      'items',
      (tx, effects) =>
        cancelAttempts(
          tx,
          refs.map((ref) => ({ ...ref, cause: 'forced' })),
          effects,
        ),
    ],
    workflows: [
      'jobs',
      (tx, { workflows }) => {
        for (const { organizationId, id } of refs) workflows.job(organizationId, id);
        return workflows.updateStatuses(tx);
      },
    ],
    'members of workflows': [
      'members',
      (tx, { workflows }) => {
        for (const { organizationId, id } of refs) workflows.member(organizationId, 'flow', id);
        return workflows.updateStatuses(tx);
      },
    ],
    'workflows by their ids': [
      'flows',
      (tx, { workflows }) => {
        for (const { organizationId, id } of refs) workflows.workflow(organizationId, id);
        return workflows.updateStatuses(tx);
      },
    ],
    'cancelled workflows': [
      'cancel',
      (tx, { workflows }) => {
        for (const { organizationId, id } of refs) workflows.cancel(organizationId, id);
        return workflows.updateStatuses(tx);
      },
    ],
    'outcomes of commands': [
      'commands',
      (tx) => {
        const ran = refs.map((ref) => ({
          command: command(ref),
          outcome: succeeded<'job.signal'>({ accepted: true, resumed: false }),
        }));
        return logOutcomes(tx, ran);
      },
    ],
    'known outcomes of commands': ['commands', (tx) => loggedOutcomes(tx, refs.map(command))],
  };

  it.each(Object.entries(writers))(
    'has each organization once, in the order of all batches, with its own items: %s',
    async (_, [items, write]) => {
      const batches: Record<string, unknown>[][] = [];
      const reject = (_statement: unknown, { batch }: { batch: string }) => {
        batches.push(JSON.parse(batch) as Record<string, unknown>[]);
        return Promise.reject(new Error('only the batch matters'));
      };
      const tx = { one: reject, run: reject } as unknown as Transaction;
      await expect(write(tx, new EffectsBuilder())).rejects.toThrow('only the batch matters');
      const [batch] = batches;
      expect(batch!.map(({ organization, org }) => organization ?? org)).toEqual(['a', 'b', 'c']);
      const ids = (part: Record<string, unknown>) =>
        (part[items] as (string | { id: string })[]).map((item) => (typeof item === 'string' ? item : item.id));
      expect(batch!.map(ids)).toEqual([['1'], ['0', '2'], ['3']]);
    },
  );

  it('is not sent when it is empty', async () => {
    const tx = {} as unknown as Transaction;
    const effects = new EffectsBuilder();
    await recordDeliveries(tx, [], effects);
    await recordCancellations(tx, [], effects);
    await logOutcomes(tx, []);
    await cancelAttempts(tx, [], effects);
    expect([
      await loggedOutcomes(tx, []),
      await applyFailures(tx, [], effects, () => 0),
      await new TouchedWorkflows().updateStatuses(tx),
    ]).toEqual([new Map(), [], null]);
  });
});
