import { isStatementTimeout } from '@spooled/data-access';
import { invalidField } from '@spooled/domain';

const tooManyCompared =
  'could not compare all jobs that the other filters select in time: narrow them by queue:, type:, key: or created:';

/**
 * Reads what a search selects, where it compares all jobs of its filters.
 * @throws SpooledError 400 naming the search in place of 503 when that takes too long: a retry would take as long
 */
export async function withinSearch<T>(search: string | null | undefined, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (search && isStatementTimeout(error)) throw invalidField('search', tooManyCompared);
    throw error;
  }
}
