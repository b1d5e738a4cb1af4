/** Something did not finish within its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  constructor(readonly limitMs: number) {
    super(`no answer within ${limitMs} ms`);
  }
}

/** Waits for `work` at most `limitMs`. The work is not cancelled; its later outcome is ignored. @throws TimeLimitError */
export async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(limitMs)), limitMs);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
