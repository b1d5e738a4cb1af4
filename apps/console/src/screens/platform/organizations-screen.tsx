import { useInfiniteQuery } from '@tanstack/react-query';
import { ItemLink } from '../../parts/links';
import { DialogButton } from '../../ui/dialog-buttons';
import { ChoiceFilter, FilterBar, FilterField } from '../../ui/filters';
import { formatCount } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { useSecretDialog } from '../../ui/secret-dialog';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { CreateOrganizationDialog } from './create-organization-dialog';
import { PlanBadge, planTiers } from './plan-badge';
import { type ListedOrganization, organizationsQuery } from './queries';
import { organizationsRoute } from '../../app/screens';
import { useSearch } from '../../app/use-search';

const columns: VirtualColumn<ListedOrganization>[] = [
  {
    title: 'Organization',
    width: 'minmax(10rem, 1.4fr)',
    cell: ({ id, name }) => <ItemLink to="/platform/organizations/$id" id={id} text={name} />,
  },
  { title: 'Short name', width: 'minmax(8rem, 1fr)', cell: ({ slug }) => <span title={slug}>{slug}</span> },
  { title: 'Plan', width: '8.5rem', cell: ({ planTier }) => <PlanBadge tier={planTier} /> },
  { title: 'Jobs today', width: '6.5rem', numeric: true, cell: ({ usage }) => formatCount(usage.jobsToday) },
  { title: 'Active', width: '5.5rem', numeric: true, cell: ({ usage }) => formatCount(usage.activeJobs) },
  { title: 'Queues', width: '5.5rem', numeric: true, cell: ({ usage }) => formatCount(usage.queues) },
  { title: 'Workers', width: '5.5rem', numeric: true, cell: ({ usage }) => formatCount(usage.workers) },
  { title: 'Keys', width: '5rem', numeric: true, cell: ({ usage }) => formatCount(usage.apiKeys) },
  { title: 'Created', width: '9rem', cell: ({ createdAt }) => <Time value={createdAt} stacked /> },
];

const planChoices = planTiers.map((value) => ({ value, label: value === 'deleted' ? 'Suspended' : value }));

const sortChoices = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'By name' },
] as const;

/** All organizations with their plans and usage. */
export function OrganizationsScreen() {
  const [secretDialog, onKey] = useSecretDialog({
    title: 'The first key of the organization',
    label: 'API key',
    hint: 'Its role is Admin, so that more keys can be created with it.',
  });
  return (
    <Page
      title="Organizations"
      actions={
        <DialogButton
          of={{ onKey }}
          label="Create an organization"
          variant="primary"
          icon="plus"
          dialog={CreateOrganizationDialog}
        />
      }
    >
      <OrganizationFilters />
      <OrganizationList />
      {secretDialog}
    </Page>
  );
}

function OrganizationFilters() {
  const [search, change] = useSearch(organizationsRoute);
  return (
    <FilterBar>
      <FilterField label="Name or short name" value={search.search} onChange={(text) => change({ search: text })} />
      <ChoiceFilter label="Plan" value={search.plan} choices={planChoices} onChange={(plan) => change({ plan })} />
      <ChoiceFilter
        label="Order"
        value={search.sort}
        choices={sortChoices}
        all="Newest first"
        onChange={(sort) => change({ sort })}
      />
    </FilterBar>
  );
}

function OrganizationList() {
  const search = organizationsRoute.useSearch();
  const query = useInfiniteQuery(organizationsQuery(search));
  return (
    <LoadedRows
      query={query}
      lines={8}
      empty={<Notice title="No organization matches">Remove a filter, or create one.</Notice>}
    >
      {(rows, more) => (
        <VirtualTable label="Organizations" columns={columns} rows={rows} rowKey={({ id }) => id} {...more} />
      )}
    </LoadedRows>
  );
}
