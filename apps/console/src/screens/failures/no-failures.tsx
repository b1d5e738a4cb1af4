import { Notice } from '../../ui/notice';
import { filterOf, type GroupsFilter } from './queries';
import type { FailuresSearch } from '../../app/screens';

export const isEmpty = (filter: GroupsFilter): boolean => Object.values(filter).every((value) => value === undefined);

/** In place of a list without rows. */
export const NoFailures = ({ search }: { search: FailuresSearch }) =>
  isEmpty(filterOf(search)) ? (
    <Notice tone="ok" title="There are no dead letters">
      Jobs that have used all their attempts appear here, grouped by cause.
    </Notice>
  ) : (
    <Notice title="No failure matches these filters">Remove a filter to see more.</Notice>
  );
