/** SQLSTATEs that the database functions raise. PostgreSQL itself uses no class that begins with SP. */
export const functionErrorCodes = {
  /** A quota of the plan is exceeded; the message is JSON (`quotaRefusal`). */
  quotaExceeded: 'SPQ01',
  /** The parent of a new job does not exist in its organization and queue. */
  parentNotFound: 'SPP01',
  /** A later delivery of the command has already been executed. */
  superseded: 'SPF01',
} as const;

/** Whether an error of PostgreSQL has this SQLSTATE. */
export const hasFunctionErrorCode = (error: unknown, code: keyof typeof functionErrorCodes): boolean =>
  error instanceof Error && 'code' in error && error.code === functionErrorCodes[code];
