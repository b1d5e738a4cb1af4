import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ItemLink, JobLink, QueueLink } from '../../parts/links';
import { useOperatorRefusal } from '../../app/use-session';
import { filterWords } from '../../parts/filter-words';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatCount, shortId } from '../../ui/format';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { facts, Page, Section } from '../../ui/page';
import { CountBars } from '../../ui/count-bars';
import { OperationsOfGroup } from '../operations/operation-columns';
import { ContrastSection } from './contrast-section';
import common from '../../ui/common.module.css';
import styles from './failures.module.css';
import { PurgeDialog } from './purge-dialog';
import { type FailureGroup, type FailureGroupDetails, groupQuery, sampleQuery } from './queries';
import { ReplayDialog } from './replay-dialog';
import { failureGroupRoute } from '../../app/screens';
import type { JobSummary } from '@spooled/sdk/browser';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';

/** The dead letters of one cause. */
export function GroupScreen() {
  const { id } = failureGroupRoute.useParams();
  const { search } = failureGroupRoute.useSearch();
  const query = useQuery(groupQuery(id, search));
  if (query.data) return <Group details={query.data} search={search} />;
  return (
    <Page title="Failures of one cause" back={<Back search={search} />}>
      {search !== undefined && <Searched id={id} search={search} />}
      <Loaded query={query} lines={8}>
        {() => (
          <Notice
            tone="ok"
            title={`There are no dead letters of this cause${search === undefined ? '' : ' that match'}`}
          >
            They have been replayed or purged, or there were none.
          </Notice>
        )}
      </Loaded>
      <OperationsOfGroup id={id} />
    </Page>
  );
}

const Back = ({ search }: { search: string | undefined }) => (
  <Link to="/failures" search={{ search }}>
    Failures
  </Link>
);

const Searched = ({ id, search }: { id: string; search: string }) => (
  <Notice tone="info" title={`Only dead letters that match “${search}”`}>
    <ItemLink to="/failures/$id" id={id} text="Show all of this cause" />
  </Notice>
);

function Group({ details, search }: { details: FailureGroupDetails; search: string | undefined }) {
  const { group, jobs } = details;
  const refused = useOperatorRefusal();
  const selection = { groupId: group.id, search };
  const name = search === undefined ? 'the dead letters of this cause' : filterWords('dead letters', selection);
  return (
    <Page
      title={group.jobType ? `${group.jobType} fails` : `Jobs of ${group.queueName} fail`}
      back={<Back search={search} />}
      actions={
        <DialogButtons
          of={{ name, selection }}
          buttons={[
            { label: 'Purge…', refused, dialog: PurgeDialog },
            { label: 'Replay…', variant: 'primary', icon: 'refresh', refused, dialog: ReplayDialog },
          ]}
        />
      }
    >
      {search !== undefined && <Searched id={group.id} search={search} />}
      <p className={common.muted}>
        <span className={styles.cause}>{group.error || 'No error text'}</span> · # stands for what differs
      </p>
      <GroupFacts group={group} />
      <OperationsOfGroup id={group.id} />
      <Sample id={group.sample.jobId} error={group.sample.error} />
      <ContrastSection details={details} search={search} />
      <GroupJobs jobs={jobs} count={group.count} />
    </Page>
  );
}

const GroupFacts = ({ group }: { group: FailureGroup }) =>
  facts({
    'Dead letters': formatCount(group.count),
    Queue: <QueueLink name={group.queueName} />,
    Type: group.jobType || '–',
    First: <Time value={group.firstSeen} stacked />,
    Last: <Time value={group.lastSeen} stacked />,
    'Per hour, last 24 hours': (
      <CountBars label="Dead letters per hour of the last 24 hours" values={group.perHour} width={168} height={36} />
    ),
  });

/** The newest of the group: its whole error and its payload. */
const Sample = ({ id, error }: { id: string; error: string | null }) => (
  <Section title="Newest example" aside={<ItemLink to="/jobs/$id" id={id} text={`Job ${shortId(id)}`} />}>
    <pre className={styles.error} tabIndex={0} aria-label="Error">
      {error ?? 'The job failed without an error text.'}
    </pre>
    <Loaded query={useQuery(sampleQuery(id))}>{({ payload }) => <JsonTree label="Payload" value={payload} />}</Loaded>
  </Section>
);

const columns: Column<JobSummary>[] = [
  { title: 'Job', isRowHeader: true, cell: ({ id }) => <JobLink id={id} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Last attempt', cell: ({ startedAt }) => <Time value={startedAt} /> },
  {
    title: 'Attempts',
    numeric: true,
    cell: ({ retryCount, maxRetries }) => `${Math.min(retryCount, maxRetries) + 1} of ${maxRetries + 1}`,
  },
  { title: 'Error', width: '45%', cell: ({ lastError }) => <span className={styles.oneLine}>{lastError ?? '–'}</span> },
];

/** The newest jobs of a group. */
const GroupJobs = ({ jobs, count }: { jobs: readonly JobSummary[]; count: number }) => (
  <Section
    title="Jobs"
    aside={
      <span className={common.muted}>
        {jobs.length < count
          ? `The newest ${formatCount(jobs.length)} of ${formatCount(count)}`
          : `All ${formatCount(count)}`}
      </span>
    }
  >
    <Table label="Jobs of this cause" columns={columns} rows={jobs} rowKey={({ id }) => id} />
  </Section>
);
