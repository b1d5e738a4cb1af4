import { Queue, Worker } from 'bullmq';
import type { Mailer, Outside } from './mailer.ts';

export async function start({ redisUrl: url, mail }: Outside): Promise<Mailer> {
  const connection = { url, maxRetriesPerRequest: null };
  const queue = new Queue<{ user: string }>('mails', {
    connection,
    defaultJobOptions: { attempts: 4, backoff: { type: 'fixed', delay: 100 } },
  });
  let worker: Worker<{ user: string }> | undefined;
  return {
    welcome: async (user) => {
      await queue.add('welcome', { user }, { jobId: `welcome-${user}` });
    },
    remind: async (user, afterSeconds) => {
      await queue.add('reminder', { user }, { delay: afterSeconds * 1_000 });
    },
    work: async () => {
      worker = new Worker('mails', ({ name, data }) => mail(data.user, name), { connection, concurrency: 5 });
      worker.on('error', (error) => console.error(error));
    },
    stop: async () => {
      await worker?.close();
      await queue.close();
    },
  };
}
