export interface FailedAttempt {
  /** Retries before this failure. */
  retryCount: number;
  maxRetries: number;
  /** False when the worker reports a permanent failure (MQ-27). */
  retryWanted: boolean;
}

/** SP-28: a job runs at most `maxRetries + 1` times; with 0 the first failure is the last. */
export function afterFailure({ retryCount, maxRetries, retryWanted }: FailedAttempt): 'retry' | 'deadletter' {
  return retryWanted && retryCount < maxRetries ? 'retry' : 'deadletter';
}
