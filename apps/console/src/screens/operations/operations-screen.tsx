import { useInfiniteQuery } from '@tanstack/react-query';
import { ChoiceFilter, FilterBar } from '../../ui/filters';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { VirtualTable } from '../../ui/virtual-table';
import { operationColumns } from './operation-columns';
import { kindName, operationKinds } from '../../parts/operation-names';
import { operationStateChoices } from './operation-state';
import { operationsQuery } from './queries';
import { operationsRoute } from '../../app/screens';
import { useSearch } from '../../app/use-search';

const kindChoices = operationKinds.map((value) => ({ value, label: kindName(value) }));

/** Acts on many jobs that the server carries out in the background, with how far they are. */
export function OperationsScreen() {
  const [search, change] = useSearch(operationsRoute);
  const query = useInfiniteQuery(operationsQuery(search));
  return (
    <Page title="Operations">
      <FilterBar>
        <ChoiceFilter label="Kind" value={search.kind} choices={kindChoices} onChange={(kind) => change({ kind })} />
        <ChoiceFilter
          label="State"
          value={search.state}
          choices={operationStateChoices}
          onChange={(state) => change({ state })}
        />
      </FilterBar>
      <LoadedRows query={query} lines={6} empty={<NoOperations isFiltered={Boolean(search.kind ?? search.state)} />}>
        {(rows, more) => (
          <VirtualTable label="Operations" columns={operationColumns} rows={rows} rowKey={({ id }) => id} {...more} />
        )}
      </LoadedRows>
    </Page>
  );
}

const NoOperations = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No operation matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice title="There are no operations yet">
      Replays and purges of failures, and cancellations of many jobs, appear here with their progress.
    </Notice>
  );
