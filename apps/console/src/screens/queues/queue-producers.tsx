import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { actorName } from '../../parts/actor-name';
import { formatCount, formatDuration, formatJobs, formatRate } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { producersQuery } from './queries';
import styles from './queue-producers.module.css';

type Producers = ResponseBody<'GET /api/v1/queues/{name}/producers'>;

interface Share {
  name: string;
  jobs: number;
  share: number;
}

/** Who fills the queue: by key, type and tag of the newest jobs. */
export function QueueProducers({ name }: { name: string }) {
  const query = useQuery(producersQuery(name));
  return (
    <Section title="Who fills it" aside={query.data && query.data.jobs > 0 && <Sample producers={query.data} />}>
      <Loaded query={query}>
        {(producers) =>
          producers.jobs === 0 ? (
            <Notice title="No job was created lately">
              Looked back {formatDuration(new Date(producers.to).getTime() - new Date(producers.from).getTime())}.
            </Notice>
          ) : (
            <div className={styles.tables}>
              <Shares
                label="By creator"
                shares={producers.byActor.map((one) => ({ ...one, name: actorName(one.actor) }))}
              />
              <Shares
                label="By type"
                shares={producers.byJobType.map((one) => ({ ...one, name: one.jobType ?? 'No type' }))}
              />
              {producers.byTag.length > 0 && (
                <Shares label="By tag" shares={producers.byTag.map((one) => ({ ...one, name: one.tag }))} />
              )}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

/** How much of the truth this is. */
const Sample = ({ producers: { jobs, isCut, from, to, perSecond } }: { producers: Producers }) => (
  <span className={styles.sample}>
    {isCut ? `The newest ${formatJobs(jobs)}` : formatJobs(jobs)} of the last{' '}
    {formatDuration(new Date(to).getTime() - new Date(from).getTime())}, {formatRate(perSecond * 3600)}
  </span>
);

const columns = (label: string): Column<Share>[] => [
  { title: label, isRowHeader: true, cell: ({ name }) => name },
  { title: 'Jobs', numeric: true, width: '5rem', cell: ({ jobs }) => formatCount(jobs) },
  {
    title: 'Share',
    width: '9rem',
    cell: ({ share }) => (
      <span className={styles.share}>
        <meter value={share} max={1} aria-label="Share" />
        {Math.round(share * 100)} %
      </span>
    ),
  },
];

const Shares = ({ label, shares }: { label: string; shares: Share[] }) => (
  <Table label={label} columns={columns(label)} rows={shares} rowKey={({ name }) => name} />
);
