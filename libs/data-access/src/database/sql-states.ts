/** The SQLSTATEs that database functions raise, and nothing else does: no class of PostgreSQL begins with SP. */
export const sqlStates = {
  /** The plan has no room; the message is JSON (`quotaRefusal`). */
  quotaExceeded: 'SPQ01',
  /** A new job names a parent that its organization and queue do not have. */
  parentNotFound: 'SPP01',
  /** A later delivery of the command has run. */
  fencedOff: 'SPF01',
} as const;

/** Whether PostgreSQL refused a statement with this state. */
export const hasSqlState = (error: unknown, state: keyof typeof sqlStates): boolean =>
  error instanceof Error && 'code' in error && error.code === sqlStates[state];
