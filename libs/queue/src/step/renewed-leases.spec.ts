import type { LeaseStore, PresentedLease, RenewedLease } from '@spooled/contracts';
import type { Transaction } from '@spooled/data-access';
import { LeaseChanges } from './lease-changes.js';
import { leaseItem } from './lease-item.js';
import { leaseParts, type LeaseStatement, presentedLease, type RenewedLeases, runOnLeases } from './renewed-leases.js';
import { writeRenewedLeases } from './write-renewed-leases.js';

/** A store that holds these leases beyond their rows, and what it was asked and told. */
function storeOf(leases: Record<string, RenewedLease>) {
  const calls: [call: string, leases: object[]][] = [];
  const note =
    (call: string) =>
    (some: object[]): Promise<void> => {
      calls.push([call, some]);
      return Promise.resolve();
    };
  const alive = async (some: PresentedLease[]) => {
    await note('alive')(some);
    return some.map(({ jobId }) => leases[jobId] ?? null);
  };
  return { calls, store: { alive, keep: note('keep'), end: note('end') } as unknown as LeaseStore };
}

const lease = (jobId: string, leaseId: string | null = null) =>
  presentedLease('org', { jobId, leaseId, workerId: 'w1' });

describe('a statement on leases', () => {
  type Row = [number, 'done' | 'expired', string?];

  /** A statement on these jobs, of which those in `expired` have expired in their rows; and the leases with which it ran again. */
  function statementOn(jobs: string[], expired: string[]) {
    const again: RenewedLeases[] = [];
    const statement: LeaseStatement<Row> = {
      run: (renewed) => {
        if (renewed) again.push(renewed);
        const rows = jobs.map((job, n): Row => [n, expired.includes(job) ? 'expired' : 'done']);
        return Promise.resolve(renewed ? [...renewed].map(([n, id]): Row => [n, 'done', id]) : rows);
      },
      expired: (rows) => rows.flatMap(([n, why]) => (why === 'expired' ? [n] : [])),
      leaseOf: (n) => lease(jobs[n]!),
    };
    return { statement, again };
  }
  const rows: Row[] = [
    [0, 'done'],
    [1, 'expired'],
    [2, 'expired'],
  ];

  it('runs once without a store, and does not ask one when no lease has expired', async () => {
    const without = statementOn(['a', 'b', 'c'], ['b', 'c']);
    expect([await runOnLeases(undefined, without.statement), without.again]).toEqual([rows, []]);
    const { store, calls } = storeOf({});
    const valid = statementOn(['a', 'b'], []);
    expect(await runOnLeases(store, valid.statement)).toEqual([rows[0], [1, 'done']]);
    expect([valid.again, calls]).toEqual([[], []]);
  });

  it('runs once when the store has lost all that have expired', async () => {
    const { store, calls } = storeOf({ a: { leaseId: 'x', leftMs: 1 } });
    const { statement, again } = statementOn(['a', 'b', 'c'], ['b', 'c']);
    expect([await runOnLeases(store, statement), again]).toEqual([rows, []]);
    expect(calls).toEqual([['alive', [lease('b'), lease('c')]]]);
  });

  it('runs again for those that the store still holds, with their ids', async () => {
    const { store } = storeOf({ c: { leaseId: 'of c', leftMs: 1 } });
    const { statement, again } = statementOn(['a', 'b', 'c'], ['b', 'c']);
    expect(await runOnLeases(store, statement)).toEqual([...rows, [2, 'done', 'of c']]);
    expect(again).toEqual([new Map([[2, 'of c']])]);
  });

  it('gets the commands in order of organization, and when it runs again those of renewed leases only', () => {
    const commands = ['b', 'a', 'b', 'c'].map((organizationId) => ({ organizationId }));
    const parts = (renewed?: RenewedLeases) =>
      leaseParts(commands, renewed, ({ organizationId }, n, id) => [organizationId, n, id]);
    expect(parts()).toEqual([
      { organization: 'a', items: [['a', 1, undefined]] },
      { organization: 'b', items: [0, 2].map((n) => ['b', n, undefined]) },
      { organization: 'c', items: [['c', 3, undefined]] },
    ]);
    expect(
      parts(
        new Map([
          [2, 'x'],
          [3, 'y'],
        ]),
      ),
    ).toEqual([
      { organization: 'b', items: [['b', 2, 'x']] },
      { organization: 'c', items: [['c', 3, 'y']] },
    ]);
  });

  it('gets a lease as its worker presents it, or by its id in the store', () => {
    const proof = { jobId: 'a', workerId: 'w1', leaseId: 'x', queues: ['emails'] };
    const item = { command: 7, id: 'a', worker: 'w1', lease: 'x', scope: ['emails'], renewed: undefined };
    expect(leaseItem(proof, 7)).toEqual(item);
    expect(leaseItem(proof, 7, 'y')).toEqual({ ...item, lease: 'y', renewed: true });
    const byName = { ...proof, leaseId: null, queues: null };
    expect(leaseItem(byName, 7)).toEqual({ ...item, lease: undefined, scope: undefined });
    expect(leaseItem({ ...byName, workerId: null }, 7)).toMatchObject({ worker: undefined });
  });
});

describe('leases that are written to their rows', () => {
  const row = (job_id: string) => ({ job_id, organization_id: 'org', lease_id: `of ${job_id}` });
  /** A transaction, and the leases that it extends. */
  function transaction() {
    const written: unknown[] = [];
    const run = (_: unknown, leases: unknown) => Promise.resolve(written.push(leases));
    return { tx: { run } as unknown as Transaction, written };
  }

  it('are those that the store holds longer, for as long as it does', async () => {
    const held = { leaseId: 'of b', leftMs: 70 };
    const { store, calls } = storeOf({ b: held });
    const { tx, written } = transaction();
    expect(await writeRenewedLeases(tx, ['a', 'b', 'c'].map(row), store)).toEqual([null, held, null]);
    expect(written).toEqual([{ ids: ['b'], leftMs: [70] }]);
    const asked = ['a', 'b', 'c'].map((id) => ({ ...lease(id, `of ${id}`), workerId: null }));
    expect(calls).toEqual([['alive', asked]]);
  });

  it('are none without a store, without rows, or when it holds none', async () => {
    const { store, calls } = storeOf({});
    const { tx, written } = transaction();
    expect(await writeRenewedLeases(tx, [row('a')], undefined)).toEqual([]);
    expect(await writeRenewedLeases(tx, [], store)).toEqual([]);
    expect(calls).toEqual([]);
    expect(await writeRenewedLeases(tx, [row('a')], store)).toEqual([null]);
    expect(written).toEqual([]);
  });
});

describe('changes of leases', () => {
  const written = { ...{ organizationId: 'org', jobId: 'a', leaseId: 'x', workerId: 'w1', queueName: 'emails' } };
  const kept = { ...written, leaseExpiresAt: '2030-01-01T00:00:00Z', endsAt: 1, uncertainMs: 0 };
  const ended = { organizationId: 'org', jobId: 'b', leaseId: 'y' };

  it('are sent to the store: what was written and what has ended', async () => {
    const { store, calls } = storeOf({});
    const changes = new LeaseChanges();
    await changes.apply(store);
    expect(calls).toEqual([]);
    changes.written(kept);
    await changes.apply(store);
    expect(calls.splice(0)).toEqual([['keep', [kept]]]);
    changes.ended(ended);
    await changes.apply(store);
    expect(calls).toEqual([
      ['keep', [kept]],
      ['end', [ended]],
    ]);
    await changes.apply(undefined);
  });
});
