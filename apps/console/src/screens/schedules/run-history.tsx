import { useQuery } from '@tanstack/react-query';
import { JobLink } from '../../parts/links';
import { formatCount, formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { comparableSince, compareWithDue, type DueRun } from './due-runs';
import { dueTimesQuery, type Run, type Runs, runsQuery, type Schedule } from './queries';
import { RunOutcome } from './schedule-state';
import common from '../../ui/common.module.css';
import { toServerTime } from '../../ui/server-time';

const beginnings = { schedule: 'On schedule', manual: 'Manually' } as const;

/** As many as the times at which they were due are computed for. */
const comparedRuns = 20;

const columns: Column<Run>[] = [
  { title: 'Run', isRowHeader: true, cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Begun', cell: ({ source }) => (source === null ? '–' : beginnings[source]) },
  { title: 'Outcome', cell: (run) => <RunOutcome run={run} /> },
  { title: 'Job', cell: ({ jobId }) => (jobId === null ? '–' : <JobLink id={jobId} />) },
  {
    title: 'Error',
    width: '50%',
    cell: ({ errorMessage }) => (errorMessage ? <span className={common.error}>{errorMessage}</span> : '–'),
  },
];

/** The newest runs, and the times at which there should have been one. */
export function RunHistory({ schedule }: { schedule: Schedule }) {
  const query = useQuery(runsQuery(schedule.id));
  return (
    <Section title="Runs" aside={query.data && <span className={common.muted}>{amount(query.data)}</span>}>
      <Loaded query={query}>
        {({ runs }) => (
          <>
            <MissedRuns schedule={schedule} runs={runs} />
            <Table
              label="Runs"
              columns={columns}
              rows={runs}
              rowKey={({ id }) => id}
              empty={<Notice title="It has not run yet" />}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The run count of the schedule is no total: it is without the runs that created no job. */
const amount = ({ runs, hasMore }: Runs): string =>
  `${hasMore === false ? 'All' : 'The newest'} ${formatCount(runs.length)}`;

function MissedRuns({ schedule, runs }: { schedule: Schedule; runs: readonly Run[] }) {
  const since = schedule.isActive ? comparableSince(schedule.updatedAt, runs, comparedRuns) : null;
  const { data: due, dataUpdatedAt } = useQuery(dueTimesQuery(schedule, since));
  if (!due) return null;
  const begun = runs.filter(({ source }) => source !== 'manual').map(({ startedAt }) => startedAt);
  const late = compareWithDue(due, begun, toServerTime(dataUpdatedAt));
  if (late.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={
        <>
          {formatCount(late.length)} missed or late since <Time value={since} />
        </>
      }
    >
      <ul>
        {late.map((run) => (
          <li key={run.at}>
            <Time value={run.at} /> {inWords(run)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const inWords = ({ delayMs }: DueRun): string =>
  delayMs === null ? 'did not run' : `ran ${formatDuration(delayMs)} late`;
