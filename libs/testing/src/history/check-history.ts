import type { Call } from './call.js';
import { collectEvidence, type Evidence } from './evidence.js';
import type { FinalState } from './final-state.js';
import { jobRules } from './job-rules.js';
import { leaseRules } from './lease-rules.js';
import { stepRules } from './step-rules.js';
import { storedRules } from './stored-rules.js';

/** Each rule returns what breaks it, one line each. */
const rules = { ...jobRules, ...leaseRules, ...storedRules, ...stepRules } satisfies Record<
  string,
  (evidence: Evidence) => string[]
>;

export type Rule = keyof typeof rules;

export interface Violation {
  rule: Rule;
  what: string;
}

export interface CheckOptions {
  /** Places of each queue, by its name. */
  concurrency?: ReadonlyMap<string, number>;
  /** Callers are killed or give up, so that some calls are never answered. Default: a call is repeated until it is. */
  callersGiveUp?: boolean;
}

/**
 * Decides whether what callers were answered, and what the database holds afterwards, keeps the promises of the queue. The caller has
 * recorded all calls, and none is in progress. What cannot be known is judged in favour of the system.
 */
export function checkHistory(
  calls: readonly Call[],
  state: FinalState,
  { concurrency, callersGiveUp = false }: CheckOptions = {},
): Violation[] {
  const evidence = collectEvidence(calls, state, concurrency);
  const applied = (Object.keys(rules) as Rule[]).filter((rule) => rule !== 'everyCallAnswered' || !callersGiveUp);
  return applied.flatMap((rule) => rules[rule](evidence).map((what) => ({ rule, what })));
}
