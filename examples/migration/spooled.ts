import { connect } from 'spooled-embedded';
import { defineJob } from 'spooled-sdk';
import type { Mailer, Outside } from './mailer.ts';

const options = { retries: 3, backoff: { strategy: 'fixed', delay: '100ms' } } as const;
const welcome = defineJob<{ user: string }>('welcome', options);
const reminder = defineJob<{ user: string }>('reminder', options);

export async function start({ databaseUrl, mail }: Outside): Promise<Mailer> {
  const app = await connect(databaseUrl);
  return {
    welcome: async (user) => {
      await welcome.enqueue({ user }, { key: `welcome-${user}` });
    },
    welcomeIn: async (tx, user) => {
      await welcome.enqueue({ user }, { key: `welcome-${user}`, tx });
    },
    remind: async (user, afterSeconds) => {
      await reminder.enqueue({ user }, { delay: `${afterSeconds}s` });
    },
    work: () =>
      app.work([
        welcome.handle(({ user }) => mail(user, 'welcome')),
        reminder.handle(({ user }) => mail(user, 'reminder')),
      ]),
    stop: () => app.stop(),
  };
}
