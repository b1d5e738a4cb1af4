import { useConnections, useDatabase } from '@spooled/testing';

const db = useConnections(useDatabase());

describe('a transaction whose statements are sent together', () => {
  it('fails with what aborted it, whichever statement is awaited first', async () => {
    const failed = db.inBatch(async (tx) => {
      tx.query('SELECT 1 / 0').catch(() => undefined);
      return tx.query('SELECT 1');
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
  });

  it('fails with the error after one that a savepoint has undone', async () => {
    const failed = db.inBatch(async (tx) => {
      await tx.query('SAVEPOINT before');
      await expect(tx.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
      await tx.query('ROLLBACK TO before');
      tx.query('SELECT sqrt(-1)').catch(() => undefined);
      return tx.query('SELECT 1');
    });
    await expect(failed).rejects.toMatchObject({ code: '2201F' });
  });
});
