/** What the exit codes of the program mean. */
export const exitCodes = {
  ok: 0,
  /** Refused by the server, failed, or a finding. */
  failed: 1,
  /** Unknown command or option, or an invalid value. Nothing was sent. */
  usage: 2,
  /** As a shell reports a process that SIGPIPE ended. */
  pipeClosed: 141,
} as const;

/** The call of the program is wrong; nothing was changed. */
export class UsageError extends Error {}

/** The command did its work and the answer is no, as its output says: exit code 1. */
export class Failure extends Error {}

/** Waits for a change of one of several things, whose error names it: those before it are done. */
export async function about<T>(name: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw new OfSeveral(name, error);
  }
}

/** What went wrong with one of several things. */
export class OfSeveral extends Error {
  constructor(
    readonly of: string,
    override readonly cause: unknown,
  ) {
    super(of, { cause });
  }
}

/** A command did a part of its work, as `done` says, and then failed or was interrupted. */
export class Incomplete extends Error {
  constructor(
    readonly done: string,
    override readonly cause: unknown,
  ) {
    super(done, { cause });
  }
}

/** A signal ended the command. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}
