import type pg from 'pg';

/** What this application asks of a queue. Each of the other files does it with one. */
export interface Mailer {
  /** One mail for a user, also when it is asked for twice. */
  welcome(user: string): Promise<void>;
  /** The same in a transaction of the application, where the queue can. */
  welcomeIn?(tx: pg.ClientBase, user: string): Promise<void>;
  remind(user: string, afterSeconds: number): Promise<void>;
  /** Runs the jobs. One that fails is tried three times more. */
  work(): Promise<void>;
  stop(): Promise<void>;
}

export interface Outside {
  databaseUrl: string;
  redisUrl: string;
  mail(user: string, subject: string): Promise<void>;
}
