import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ItemLink } from '../../parts/links';
import { useSearch } from '../../app/use-search';
import { Button } from '../../ui/button';
import { ChoiceFilter, FilterBar } from '../../ui/filters';
import { formatCount, formatRate } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { LimitTenantDialog } from './limit-tenant-dialog';
import { loadMinutes, type TopTenant, topTenantsQuery } from './queries';
import { platformRoute } from '../../app/screens';

const choices = [
  { value: 'completed', label: 'Jobs completed' },
  { value: 'failed', label: 'Failed attempts' },
  { value: 'depth', label: 'Waiting jobs' },
] as const;

const perSecond = (rate: number): string => formatRate(rate * 3600);

const columns: Column<TopTenant>[] = [
  {
    title: 'Organization',
    isRowHeader: true,
    cell: ({ organizationId, name }) => <ItemLink to="/platform/organizations/$id" id={organizationId} text={name} />,
  },
  { title: 'Plan', cell: ({ planTier }) => planTier },
  { title: 'Created', numeric: true, cell: ({ createdPerSecond }) => perSecond(createdPerSecond) },
  { title: 'Completed', numeric: true, cell: ({ completedPerSecond }) => perSecond(completedPerSecond) },
  { title: 'Failed', numeric: true, cell: ({ failedPerSecond }) => perSecond(failedPerSecond) },
  { title: 'Waiting', numeric: true, cell: ({ pending }) => formatCount(pending) },
  { title: 'Running', numeric: true, cell: ({ processing }) => formatCount(processing) },
];

/** Which organizations make the load. */
export function LoadSection() {
  const [{ by }, change] = useSearch(platformRoute);
  const query = useQuery(topTenantsQuery(by ?? 'created'));
  const [limited, setLimited] = useState<TopTenant | null>(null);
  const act: Column<TopTenant> = {
    title: 'Action',
    width: '6rem',
    cell: (tenant) => (
      <Button size="s" onPress={() => setLimited(tenant)}>
        Limit…
      </Button>
    ),
  };
  return (
    <Section title={`Load in the last ${loadMinutes} minutes`}>
      <FilterBar>
        <ChoiceFilter
          label="The most"
          value={by}
          choices={choices}
          all="Jobs created"
          onChange={(order) => change({ by: order })}
        />
      </FilterBar>
      <Loaded query={query}>
        {({ tenants }) => (
          <Table
            label="Organizations by load"
            columns={[...columns, act]}
            rows={tenants}
            rowKey={({ organizationId }) => organizationId}
            empty={<Notice title="No organization has made any load" />}
          />
        )}
      </Loaded>
      {limited && (
        <LimitTenantDialog
          id={limited.organizationId}
          name={limited.name}
          load={perSecond(limited.createdPerSecond)}
          onClose={() => setLimited(null)}
        />
      )}
    </Section>
  );
}
