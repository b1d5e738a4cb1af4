import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayOperate, useSession } from '../../app/use-session';
import { actorName } from '../../parts/actor-name';
import { Button } from '../../ui/button';
import { formatCount, formatDuration, formatJobs, formatRate, formatShare } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { producersQuery } from './queries';
import { QueueThrottles } from './queue-throttles';
import common from '../../ui/common.module.css';
import styles from './queue-producers.module.css';
import { ThrottleDialog } from './throttle-dialog';
import type { Flood } from './throttle-subjects';

type Producers = ResponseBody<'GET /api/v1/queues/{name}/producers'>;

interface Share {
  name: string;
  jobs: number;
  share: number;
}

interface KeyShare extends Share {
  actor: Producers['byActor'][number]['actor'];
}

/** Who fills the queue: by key, type and tag of the newest jobs. */
export function QueueProducers({ name }: { name: string }) {
  const query = useQuery(producersQuery(name));
  const [flood, setFlood] = useState<Flood | null>(null);
  return (
    <Section title="Who fills it" aside={query.data && query.data.jobs > 0 && <Sample producers={query.data} />}>
      <QueueThrottles name={name} />
      <Loaded query={query}>
        {(producers) =>
          producers.jobs === 0 ? (
            <Notice title="No job was created lately">
              Looked back {formatDuration(new Date(producers.to).getTime() - new Date(producers.from).getTime())}.
            </Notice>
          ) : (
            <div className={styles.tables}>
              <Creators producers={producers} onThrottle={setFlood} />
              <Shares
                label="By type"
                shares={producers.byJobType.map((one) => ({ ...one, name: one.jobType ?? 'No type' }))}
              />
              {producers.byTag.length > 0 && <Tags producers={producers} onThrottle={setFlood} />}
            </div>
          )
        }
      </Loaded>
      {flood && <ThrottleDialog flood={flood} onClose={() => setFlood(null)} />}
    </Section>
  );
}

interface ThrottledProps {
  producers: Producers;
  onThrottle(flood: Flood): void;
}

/** A column that throttles what a row shows. */
function useThrottleColumn<Row extends Share>(floodOf: (row: Row) => Flood | null, onThrottle: (flood: Flood) => void) {
  const refused = mayOperate(useSession()) ? null : 'it takes the role operator';
  const column: Column<Row> = {
    title: 'Action',
    width: '7rem',
    cell: (row) => {
      const flood = floodOf(row);
      if (flood === null) return '–';
      return (
        <Button refused={refused} size="s" onPress={() => onThrottle(flood)}>
          Throttle…
        </Button>
      );
    },
  };
  return column;
}

/** By key, session, schedule and webhook; keys can be throttled. */
function Creators({ producers: { queueName, byActor }, onThrottle }: ThrottledProps) {
  const act = useThrottleColumn<KeyShare>(({ actor, name }) => {
    if (actor?.kind !== 'key' || actor.id === null) return null;
    return { queueName, subjects: [{ kind: 'key', apiKeyId: actor.id, name: actor.name ?? name }] };
  }, onThrottle);
  return (
    <Table
      label="By creator"
      columns={[...columns('By creator'), act]}
      rows={byActor.map((one) => ({ ...one, name: actorName(one.actor) }))}
      rowKey={({ actor, name }) => `${actor?.id ?? ''} ${name}`}
    />
  );
}

/** By the names of tags, whose jobs can be throttled by value. */
function Tags({ producers: { queueName, byTag }, onThrottle }: ThrottledProps) {
  const act = useThrottleColumn<Share>(
    ({ name }) => ({ queueName, subjects: [{ kind: 'tag', tag: name, value: '' }] }),
    onThrottle,
  );
  return (
    <Table
      label="By tag"
      columns={[...columns('By tag'), act]}
      rows={byTag.map((one) => ({ ...one, name: one.tag }))}
      rowKey={({ name }) => name}
    />
  );
}

/** How much of the truth this is. */
const Sample = ({ producers: { jobs, isCut, from, to, perSecond } }: { producers: Producers }) => (
  <span className={common.small}>
    {isCut ? `The newest ${formatJobs(jobs)}` : formatJobs(jobs)} of the last{' '}
    {formatDuration(new Date(to).getTime() - new Date(from).getTime())}, {formatRate(perSecond * 3600)}
  </span>
);

const columns = <T extends Share>(label: string): Column<T>[] => [
  { title: label, isRowHeader: true, cell: ({ name }) => name },
  { title: 'Jobs', numeric: true, width: '5rem', cell: ({ jobs }) => formatCount(jobs) },
  {
    title: 'Share',
    width: '9rem',
    cell: ({ share }) => (
      <span className={styles.share}>
        <meter value={share} max={1} aria-label="Share" />
        {formatShare(share)}
      </span>
    ),
  },
];

const Shares = ({ label, shares }: { label: string; shares: Share[] }) => (
  <Table label={label} columns={columns(label)} rows={shares} rowKey={({ name }) => name} />
);
