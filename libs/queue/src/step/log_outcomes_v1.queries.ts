/** A record of `commands`, as log_outcomes_v1.sql reads it. */
export interface LogOutcomesV1Record {
  id: string | null | undefined;
  outcome: unknown;
}
