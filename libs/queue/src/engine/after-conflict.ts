import { isTransactionConflict } from '@spooled/data-access';

const attempts = 3;

/**
 * Runs a transaction, and runs it again when PostgreSQL broke it off for the sake of another one. All locks are taken in one order
 * where the order can be known; a batch that both releases and cancels jobs of one graph cannot know it.
 * `attempt` counts from 1.
 * @throws whatever `transaction` throws otherwise, or still throws the third time
 */
export async function afterConflict<T>(
  transaction: (attempt: number) => Promise<T>,
  onConflict?: (error: unknown) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(attempt);
    } catch (error) {
      if (attempt === attempts || !isTransactionConflict(error)) throw error;
      onConflict?.(error);
    }
  }
}
