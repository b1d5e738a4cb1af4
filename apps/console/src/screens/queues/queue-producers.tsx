import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/use-session';
import { actorName } from '../../parts/actor-name';
import { mayManage } from '../../parts/roles';
import { ActButton } from '../../ui/act-button';
import { formatCount, formatDuration, formatJobs, formatRate } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { LimitKeyDialog } from './limit-key-dialog';
import { producersQuery } from './queries';
import styles from './queue-producers.module.css';

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
              <Creators producers={producers} />
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

/** By key, session, schedule and webhook; keys can be limited. */
function Creators({ producers: { byActor, perSecond } }: { producers: Producers }) {
  const session = useSession();
  const [limited, setLimited] = useState<KeyShare | null>(null);
  const refused = mayManage(session) ? null : 'it takes a key with the role admin for all queues';
  const act: Column<KeyShare> = {
    title: 'Action',
    width: '6rem',
    cell: (row) =>
      row.actor?.kind === 'key' && row.actor.id !== null ? (
        <ActButton refused={refused} size="s" onPress={() => setLimited(row)}>
          Limit…
        </ActButton>
      ) : (
        '–'
      ),
  };
  return (
    <>
      <Table
        label="By creator"
        columns={[...columns('By creator'), act]}
        rows={byActor.map((one) => ({ ...one, name: actorName(one.actor) }))}
        rowKey={({ actor, name }) => `${actor?.id ?? ''} ${name}`}
      />
      {limited && (
        <LimitKeyDialog
          id={limited.actor!.id!}
          name={limited.actor!.name ?? limited.actor!.id!}
          perSecond={perSecond * limited.share}
          share={limited.share}
          onClose={() => setLimited(null)}
        />
      )}
    </>
  );
}

/** How much of the truth this is. */
const Sample = ({ producers: { jobs, isCut, from, to, perSecond } }: { producers: Producers }) => (
  <span className={styles.sample}>
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
        {Math.round(share * 100)} %
      </span>
    ),
  },
];

const Shares = ({ label, shares }: { label: string; shares: Share[] }) => (
  <Table label={label} columns={columns(label)} rows={shares} rowKey={({ name }) => name} />
);
