import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Badge, type Look } from '../../ui/badge';
import { formatBytes, formatCount, formatRate } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { NotChecked } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { capacityQuery } from './queries';

type Capacity = ResponseBody<'GET /api/v1/admin/capacity'>;
type Limit = Capacity['limits'][number];

/** Shares from which a limit is near, and from which it is nearly reached. */
const nearShare = 0.7;
const criticalShare = 0.9;

const names: Record<string, string> = {
  postgresql_connections: 'Connections of PostgreSQL',
  postgresql_transaction_ids: 'Transaction ids of PostgreSQL',
  postgresql_database_size: 'Size of the database',
  redis_memory: 'Memory of Redis',
};

/** The name in words; an address may follow it, where there are several of a kind. */
function nameOf({ name }: Limit): string {
  const kind = Object.keys(names).find((one) => name.startsWith(one));
  if (kind === undefined) return name.replaceAll('_', ' ');
  const address = name.slice(kind.length).replace(/^[_ ]+|\/$/g, '');
  return [names[kind], address].filter(Boolean).join(' ');
}

const amount = (value: number, unit: Limit['unit']): string =>
  unit === 'bytes' ? formatBytes(value) : formatCount(value);

function stateOf({ share }: Limit): Look {
  if (share === null) return { label: 'No limit known', tone: 'neutral', icon: 'circle' };
  if (share >= criticalShare) return { label: 'Nearly used up', tone: 'danger', icon: 'stop' };
  if (share >= nearShare) return { label: 'Near its limit', tone: 'warn', icon: 'warning' };
  return { label: 'Within limit', tone: 'ok', icon: 'check' };
}

const columns: Column<Limit>[] = [
  { title: 'Limit', isRowHeader: true, cell: nameOf },
  { title: 'Used', numeric: true, cell: ({ used, unit }) => amount(used, unit) },
  { title: 'Of', numeric: true, cell: ({ limit, unit }) => (limit === null ? '–' : amount(limit, unit)) },
  { title: 'Share', numeric: true, cell: ({ share }) => (share === null ? '–' : `${Math.round(share * 100)} %`) },
  { title: 'State', cell: (row) => <Badge {...stateOf(row)} /> },
];

/** How far the installation is from its limits. */
export function CapacitySection() {
  const query = useQuery(capacityQuery);
  return (
    <Section title="Capacity" aside={query.data && <span>{ratesOf(query.data.jobs)}</span>}>
      <Loaded query={query}>
        {({ limits, notChecked }) => (
          <>
            <Table label="Capacity" columns={columns} rows={limits} rowKey={({ name }) => name} />
            <NotChecked reasons={notChecked} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const ratesOf = ({ createdPerSecond, completedPerSecond }: Capacity['jobs']): string =>
  createdPerSecond === null || completedPerSecond === null
    ? 'Rates of jobs are not known yet'
    : `${formatRate(createdPerSecond * 3600)} jobs created, ${formatRate(completedPerSecond * 3600)} completed`;
