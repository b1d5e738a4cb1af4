import pg from 'pg';

/** A migration that cannot be applied; an operator must resolve it. */
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

/** A database function that cannot be installed; its transaction was rolled back. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';

  constructor({ name, file }: { name: string; file: string }, reason: string, cause?: unknown) {
    super(`Function ${name} (${file}) ${reason}`, cause === undefined ? undefined : { cause });
  }
}

/** PostgreSQL's message with the line of the file. */
export function describeError(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line = error.position ? sql.slice(0, Number(error.position)).split('\n').length : null;
  return [error.message, error.detail, error.hint, line && `line ${line}`].filter(Boolean).join('; ');
}
