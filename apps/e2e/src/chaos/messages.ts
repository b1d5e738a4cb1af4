import type { Action, Call, Grant } from '@spooled/testing';

/** A call that is on its way. */
export interface BegunCall {
  id: string;
  tenant: string;
  action: Action;
  began: number;
  from: number;
}

/** How a call ended. */
export interface EndedCall {
  id: string;
  outcome: Call['outcome'];
  answer?: string | number | Grant[];
  /** The job that was created: its id is known only now. */
  job?: string;
  ended: number;
  to: number;
}

/** A request that ended, for the figures: errors by kind, throughput. */
export interface Answered {
  verb: string;
  /** `ok`, a status with its code, or the reason why there was no answer. */
  kind: string;
  at: number;
  /** Calls in it that succeeded. */
  succeeded: number;
}

/** What callers report, also those in processes of their own. */
export type Report = { begun: BegunCall[] } | { ended: EndedCall[]; answered: Answered };

/** A place in the order of all beginnings and ends of calls. The monotonic clock of the machine is the same for all of its processes. */
export const place = (): number => Number(process.hrtime.bigint());
