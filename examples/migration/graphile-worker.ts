import { Logger, makeWorkerUtils, run, type Runner } from 'graphile-worker';
import type { Mailer, Outside } from './mailer.ts';

const logger = new Logger(() => () => undefined);

export async function start({ databaseUrl: connectionString, mail }: Outside): Promise<Mailer> {
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  let runner: Runner | undefined;
  const taskOf = (name: string) => (payload: unknown) => mail((payload as { user: string }).user, name);
  return {
    welcome: async (user) => {
      await utils.addJob('welcome', { user }, { jobKey: `welcome-${user}`, maxAttempts: 4 });
    },
    welcomeIn: async (tx, user) => {
      const call = `SELECT graphile_worker.add_job('welcome', json_build_object('user', $1::text), job_key => $2, max_attempts => 4)`;
      await tx.query(call, [user, `welcome-${user}`]);
    },
    remind: async (user, afterSeconds) => {
      const runAt = new Date(Date.now() + afterSeconds * 1_000);
      await utils.addJob('reminder', { user }, { runAt, maxAttempts: 4 });
    },
    work: async () => {
      const taskList = { welcome: taskOf('welcome'), reminder: taskOf('reminder') };
      runner = await run({ connectionString, logger, taskList, concurrency: 5, noHandleSignals: true });
    },
    stop: async () => {
      await runner?.stop();
      await utils.release();
    },
  };
}
