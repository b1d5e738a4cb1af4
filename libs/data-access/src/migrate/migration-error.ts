import pg from 'pg';

/** A migration that cannot be applied; the operator has to decide. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly migration: string,
    reason: string,
    cause?: unknown,
  ) {
    super(`Migration ${migration} ${reason}`, cause === undefined ? undefined : { cause });
  }
}

/** A database function that cannot be installed; nothing of the run that tried is left. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';

  constructor({ name, file }: { name: string; file: string }, reason: string, cause?: unknown) {
    super(`Function ${name} (${file}) ${reason}`, cause === undefined ? undefined : { cause });
  }
}

/** PostgreSQL's message with the line of the file that it points at. */
export function explain(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line = error.position ? sql.slice(0, Number(error.position)).split('\n').length : null;
  return [error.message, error.detail, line && `line ${line}`].filter(Boolean).join('; ');
}
