import PgBoss from 'pg-boss';
import type { Mailer, Outside } from './mailer.ts';

export async function start({ databaseUrl, mail }: Outside): Promise<Mailer> {
  const boss = new PgBoss(databaseUrl);
  boss.on('error', (error) => console.error(error));
  await boss.start();
  // One waiting job for each user.
  await boss.createQueue('welcome', { name: 'welcome', policy: 'short' });
  await boss.createQueue('reminder');
  const send = async (user: string, db?: PgBoss.Db) => {
    await boss.send('welcome', { user }, { db, retryLimit: 3, singletonKey: user });
  };
  return {
    welcome: (user) => send(user),
    welcomeIn: (tx, user) => send(user, { executeSql: (text, values) => tx.query(text, values) }),
    remind: async (user, afterSeconds) => {
      await boss.send('reminder', { user }, { startAfter: afterSeconds, retryLimit: 3 });
    },
    work: async () => {
      for (const name of ['welcome', 'reminder']) {
        await boss.work<{ user: string }>(name, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
          await mail(job!.data.user, name);
        });
      }
    },
    stop: () => boss.stop({ wait: true }),
  };
}
