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
