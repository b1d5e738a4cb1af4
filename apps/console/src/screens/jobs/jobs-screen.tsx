import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayEnqueue, mayOperate, useOperatorRefusal, useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { ChoiceMenu } from '../../ui/choice-menu';
import { LoadedRows } from '../../ui/loaded-rows';
import { ActionMenu } from '../../ui/menu';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { ToggleChoice } from '../../ui/toggle-choice';
import { ActOnJobsDialog } from './act-on-jobs-dialog';
import { columnChoices, columnsOf, columnsText, JobsTable } from './jobs-table';
import { EnqueueDialog } from './enqueue-dialog';
import { actTexts, type JobAct, jobActs } from './job-acts';
import { JobFilterBar } from './job-filters';
import { chosenJobs, type JobSelection, matchingJobs } from './job-selection';
import type { JobsSearch } from './jobs-search';
import styles from './jobs-screen.module.css';
import { LiveTail } from './live-tail';
import { filtersOf, isFiltered, jobsQuery } from './queries';
import { jobsRoute } from '../../app/screens';
import { ViewsBar } from './views-bar';
import { useSearch } from '../../app/use-search';
import { formatCount } from '../../ui/format';
import { ReplayDialog } from '../failures/replay-dialog';

/** Jobs that match the filters of the address, or their events as they happen, with acts on all of them. */
export function JobsScreen() {
  const search = jobsRoute.useSearch();
  const session = useSession();
  // Acts on what the filter shows, as it was when the act was chosen.
  const [dialog, setDialog] = useState<'enqueue' | { act: JobAct; jobs: JobSelection } | null>(null);
  const close = () => setDialog(null);
  const matching = matchingJobs(filtersOf(search));
  return (
    <Page
      title="Jobs"
      actions={
        <>
          {mayOperate(session) && <MatchingMenu jobs={matching} onAct={(act, jobs) => setDialog({ act, jobs })} />}
          {mayEnqueue(session) && (
            <Button variant="primary" icon="plus" onPress={() => setDialog('enqueue')}>
              Enqueue
            </Button>
          )}
        </>
      }
    >
      <ViewsBar search={search} />
      <JobFilterBar search={search} />
      <Tools search={search} />
      {search.follow ? <LiveTail search={search} /> : <JobList search={search} />}
      {dialog === 'enqueue' && <EnqueueDialog initial={{ queueName: search.queue ?? '' }} onClose={close} />}
      {typeof dialog === 'object' && dialog !== null && <ActOnJobsDialog {...dialog} onClose={close} />}
    </Page>
  );
}

interface MatchingMenuProps {
  /** A text: why there are no acts. */
  jobs: JobSelection | string;
  onAct(act: JobAct, jobs: JobSelection): void;
}

const matchingLabel = 'All that match';
const matchingItems = jobActs.map((id) => ({ id, label: actTexts[id].label }));

/** The acts on all jobs that match the filters, on every page. */
const MatchingMenu = ({ jobs, onAct }: MatchingMenuProps) =>
  typeof jobs === 'string' ? (
    <Button refused={jobs}>{matchingLabel}</Button>
  ) : (
    <ActionMenu<JobAct>
      label={matchingLabel}
      text={matchingLabel}
      keepsText
      icon="down"
      items={matchingItems}
      onAction={(act) => onAct(act, jobs)}
    />
  );

const modes = [
  { value: 'list', label: 'List' },
  { value: 'events', label: 'Live tail' },
] as const;

/** What the page shows of the jobs that match: the list with its columns, or what happens to them. */
function Tools({ search }: { search: JobsSearch }) {
  const [, change] = useSearch(jobsRoute);
  return (
    <div className={styles.tools}>
      <ToggleChoice<(typeof modes)[number]['value']>
        label="Show"
        value={search.follow ?? 'list'}
        choices={modes}
        onChange={(mode) => change({ follow: mode === 'events' ? mode : undefined })}
      />
      {!search.follow && (
        <div className={styles.columns}>
          {search.columns && (
            <Button size="s" variant="quiet" onPress={() => change({ columns: undefined })}>
              Usual columns
            </Button>
          )}
          <ChoiceMenu
            label="Columns"
            choices={columnChoices}
            selected={columnsOf(search)}
            onChange={(columns) => change({ columns: columnsText(columns) })}
          />
        </div>
      )}
    </div>
  );
}

function JobList({ search }: { search: JobsSearch }) {
  const query = useInfiniteQuery(jobsQuery(search));
  const mayAct = mayOperate(useSession());
  const [keys, setKeys] = useState<string[]>([]);
  return (
    <LoadedRows query={query} lines={10} empty={<NoJobs isFiltered={isFiltered(search)} />}>
      {(jobs, more) => {
        // Of the rows that show: a job that the filters no longer match is not taken unseen.
        const chosen = chosenOf(jobs, keys);
        const selection = mayAct ? { keys: chosen, onChange: setKeys } : undefined;
        return (
          <>
            <JobsTable jobs={jobs} columns={search.columns} selection={selection} {...more} />
            <ChosenJobs ids={chosen} onClear={() => setKeys([])} />
          </>
        );
      }}
    </LoadedRows>
  );
}

const none: string[] = [];

function chosenOf(jobs: readonly { id: string }[], keys: readonly string[]): string[] {
  if (keys.length === 0) return none;
  const chosen = new Set(keys);
  return jobs.map(({ id }) => id).filter((id) => chosen.has(id));
}

const NoJobs = ({ isFiltered: hasFilters }: { isFiltered: boolean }) =>
  hasFilters ? (
    <Notice title="No job matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice title="There are no jobs yet">Enqueue one here, or with an API key from your application.</Notice>
  );

interface ChosenJobsProps {
  ids: readonly string[];
  /** Chooses none. */
  onClear(): void;
}

/** The acts on jobs that were chosen one by one, at the bottom of the window. */
function ChosenJobs({ ids, onClear }: ChosenJobsProps) {
  const [dialog, setDialog] = useState<{ act: JobAct | 'replay'; jobIds: string[] } | null>(null);
  const close = () => setDialog(null);
  const mayNot = useOperatorRefusal();
  const jobs = chosenJobs([...ids]);
  const refused = mayNot ?? (typeof jobs === 'string' ? jobs : null);
  const open = (act: JobAct | 'replay') => () => setDialog({ act, jobIds: [...ids] });
  return (
    <>
      {ids.length > 0 && (
        <div className={styles.chosen} role="group" aria-label="Chosen jobs">
          <span aria-live="polite">{formatCount(ids.length)} chosen</span>
          {jobActs.map((act) => (
            <Button key={act} size="s" refused={refused} onPress={open(act)}>
              {actTexts[act].label}
            </Button>
          ))}
          <Button size="s" refused={refused} onPress={open('replay')}>
            Retry…
          </Button>
          <Button size="s" variant="quiet" onPress={onClear}>
            Choose none
          </Button>
        </div>
      )}
      {dialog?.act === 'replay' && (
        <ReplayDialog name="the dead letters that were chosen" selection={{ jobIds: dialog.jobIds }} onClose={close} />
      )}
      {dialog && dialog.act !== 'replay' && (
        <ActOnJobsDialog act={dialog.act} jobs={{ jobIds: dialog.jobIds }} onDone={onClear} onClose={close} />
      )}
    </>
  );
}
