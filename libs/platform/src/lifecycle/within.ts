/** Says that something did not finish in its time. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  constructor(readonly limitMs: number) {
    super(`no answer within ${limitMs} ms`);
  }
}

/**
 * Gives `work` at most `limitMs`. The work itself cannot be cancelled from here; its late outcome is ignored.
 * @throws TimeLimitError
 */
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
