/** A lease as its worker received it. Times are of the database, in milliseconds. */
export interface Grant {
  job: string;
  lease: string;
  priority: number;
  expiresAt: number;
}

interface OfLease {
  job: string;
  lease: string;
  worker: string;
}

/** What a caller asked for, with what the answer said, if there was one. */
export type Action =
  | {
      verb: 'enqueue';
      job: string;
      queue: string;
      priority: number;
      maxRetries: number;
      key: string | null;
      parent: string | null;
      /** Not claimable before; null = at once. */
      due: number | null;
      /** Ends by itself then, unless a worker has it; null = never. */
      expires: number | null;
      /** Whether its end is to be reported to a receiver. */
      reported: boolean;
      /** The job that the answer named; another one if the key was known. */
      answer?: string;
    }
  | { verb: 'claim'; queue: string; worker: string; answer?: Grant[] }
  | ({ verb: 'complete' } & OfLease)
  | ({ verb: 'release' } & OfLease)
  | ({ verb: 'fail'; retry: boolean } & OfLease)
  | ({ verb: 'renew'; /** The new expiry. */ answer?: number } & OfLease)
  /** The job waits for another one, if it was not leased. */
  | { verb: 'depend'; job: string; parent: string }
  | { verb: 'cancel'; job: string }
  /** Cancels a waiting job, asks the worker of a running one to end it, or ends it at once. */
  | { verb: 'requestCancel'; job: string; force: boolean }
  | ({ verb: 'step'; step: string; value: string } & OfLease)
  /** For a signal of this name, at most so long. */
  | ({ verb: 'wait'; step: string; waitMs: number; /** Whether it was over already. */ answer?: boolean } & OfLease)
  | { verb: 'signal'; job: string; step: string; answer?: { accepted: boolean; resumed: boolean } }
  | { verb: 'retry'; job: string }
  | { verb: 'purge'; job: string };

export type Verb = Action['verb'];

/**
 * One call of one caller. Deliveries of the same command are one call.
 * `unknown`: no answer, so it may have taken effect at any time since it began, or not at all.
 */
export type Call = Action & {
  tenant: string;
  outcome: 'ok' | 'refused' | 'unknown';
  /** Places in the order of all beginnings and ends of calls: what ended before another began, happened before it. */
  began: number;
  ended: number;
  /** The time of the database when it began at the earliest and ended at the latest. */
  from: number;
  to: number;
};

export type CallOf<V extends Verb> = Call & Extract<Action, { verb: V }>;

/** The calls of these verbs. */
export const callsOf = <V extends Verb>(calls: readonly Call[], ...verbs: V[]): CallOf<V>[] =>
  calls.filter(({ verb }) => (verbs as Verb[]).includes(verb)) as CallOf<V>[];

/** It may have taken effect. */
export const mayHaveHappened = ({ outcome }: Call): boolean => outcome !== 'refused';
