import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { servicesQuery } from './queries';
import styles from './platform.module.css';

type Services = ResponseBody<'GET /api/v1/admin/services'>;
type Service = Services['services'][number];

/** The newest or oldest of some times in ISO 8601. */
const last = (times: string[]): string | null => times.toSorted().at(-1) ?? null;

const columns: Column<Service>[] = [
  { title: 'Service', isRowHeader: true, cell: ({ service }) => service },
  {
    title: 'State',
    cell: ({ alive }) =>
      alive > 0 ? (
        <Badge tone="ok" icon="check" label="Runs" />
      ) : (
        <Badge tone="danger" icon="stop" label="Not running" />
      ),
  },
  { title: 'Processes', numeric: true, cell: ({ alive }) => formatCount(alive) },
  {
    title: 'Version',
    cell: ({ versions }) =>
      versions.length > 1 ? <Badge tone="warn" icon="warning" label={versions.join(', ')} /> : (versions[0] ?? '–'),
  },
  { title: 'Hosts', cell: ({ processes }) => hostsOf(processes) },
  {
    title: 'Started last',
    cell: ({ processes }) => <Time value={last(processes.filter((one) => one.isAlive).map((one) => one.startedAt))} />,
  },
  { title: 'Last seen', cell: ({ processes }) => <Time value={last(processes.map((one) => one.lastSeen))} /> },
];

const hostsOf = (processes: Service['processes']): string =>
  [...new Set(processes.filter((one) => one.isAlive).map((one) => one.host))].join(', ') || '–';

/** Which services run, where and in which version; PostgreSQL and Redis. */
export function ServicesSection() {
  const query = useQuery(servicesQuery);
  return (
    <Section title="Services" aside={query.data && <Dependencies dependencies={query.data.dependencies} />}>
      <Loaded query={query}>
        {({ services }) => (
          <Table label="Services" columns={columns} rows={services} rowKey={({ service }) => service} />
        )}
      </Loaded>
    </Section>
  );
}

const Dependencies = ({ dependencies: { database, redis } }: { dependencies: Services['dependencies'] }) => (
  <span className={styles.badges}>
    <Dependency name="PostgreSQL" isUp={database} />
    {redis === null ? <Badge label="Without Redis" /> : <Dependency name="Redis" isUp={redis} />}
  </span>
);

const Dependency = ({ name, isUp }: { name: string; isUp: boolean }) => (
  <Badge
    tone={isUp ? 'ok' : 'danger'}
    icon={isUp ? 'check' : 'stop'}
    label={`${name} ${isUp ? 'answers' : 'is unavailable'}`}
  />
);
