import { ConflictError, type Operation } from '@spooled/sdk/browser';
import { api } from '../api/client';
import { refresh } from '../api/refresh';
import { serverNow } from '../ui/server-time';
import { Store, useStore } from '../ui/store';
import { toast } from '../ui/toast';
import { formatAmount } from './operation-names';

/** Seconds between the request of an action on many jobs and its begin, in which it can be undone. */
export const holdSeconds = 10;

/** An act of this page that has not begun. */
export interface HeldOperation {
  id: string;
  /** What it will do, such as `12 jobs are purged`. */
  text: string;
  /** Milliseconds since the epoch by the server's clock. */
  startsAt: number;
}

const operations = new Store<readonly HeldOperation[]>([]);

const remove = (id: string): void => operations.set(operations.get().filter((operation) => operation.id !== id));

/** Of the jobs that match an operation, so many are counted. */
export const mostCounted = 100_000;

/** What an operation has counted at its request, which may be more than the dialog before it showed. */
function amountOf(operation: Operation): string {
  const { total } = operation;
  return total === null ? `more than ${formatAmount(operation, mostCounted)}` : formatAmount(operation, total);
}

/**
 * Shows an act that was requested with `holdSeconds`, with its undo, until it begins.
 * @param words what it will do to an amount, such as `12 jobs`
 */
export function showHeld(operation: Operation, words: (amount: string) => string): void {
  const { id } = operation;
  const text = words(amountOf(operation));
  // Not ten seconds from now: the answer may have taken some of them.
  const startsAt = operation.startsAt === null ? serverNow() : Date.parse(operation.startsAt);
  operations.set([...operations.get(), { id, text, startsAt }]);
  setTimeout(() => {
    remove(id);
    void refresh('operations', 'failures', 'jobs', 'queues');
  }, startsAt - serverNow());
}

/** The acts of this page that have not begun, the oldest first. */
export const useHeldOperations = (): readonly HeldOperation[] => useStore(operations);

/** Cancels an operation before it begins, and tells what has become of it. */
export async function undo(id: string): Promise<void> {
  try {
    const operation = await api.operations.cancel(id);
    toast.done(operation.startedAt === null ? 'Undone: nothing was changed' : (operation.reason ?? 'Cancelled'));
  } catch (error) {
    toast.failed(error instanceof ConflictError ? 'Too late to undo' : 'This could not be undone', error);
  } finally {
    remove(id);
    await refresh('operations', 'failures', 'jobs', 'queues');
  }
}

/** Undoes the newest act of this page that has not begun. */
export const undoNewest = (): void => {
  const newest = operations.get().at(-1);
  if (newest) void undo(newest.id);
};
