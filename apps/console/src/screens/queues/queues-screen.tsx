import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { momentOf } from '../../parts/past/moment';
import { PastMoment } from '../../parts/past/past-moment';
import { PastQueues } from '../../parts/past/past-queues';
import { TimeControl } from '../../parts/past/time-control';
import { FilterBar, ImmediateFilter } from '../../ui/filters';
import { contains, formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { TableTools, useHiddenColumns } from '../../ui/table-tools';
import { ToggleChoice } from '../../ui/toggle-choice';
import { VirtualTable } from '../../ui/virtual-table';
import { useOnEnd } from '../../ui/use-on-end';
import { type QueueRow, queuesQuery } from './queries';
import { queueColumns } from './queue-columns';
import { countByStatus, type QueueStatus, queueStatuses, worstFirst } from './queue-order';
import { queueStatusName } from './queue-state';
import { queuesRoute } from '../../app/screens';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useAct } from '../../app/use-act';
import { useSearch } from '../../app/use-search';
import { mayOperate, useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { inTurn } from './in-turn';
import { PauseQueueDialog } from './pause-dialog';

/** Queues are ranked among all, up to this many; they are read by 100. */
const maxRanked = 1_000;

/** All queues of the organization with their state, depth, rates and limits. */
export function QueuesScreen() {
  const [{ name = '', at: atText }, change] = useSearch(queuesRoute);
  const at = momentOf(atText);
  return (
    <Page title="Queues">
      <TimeControl at={at} onChange={(moment) => change({ at: moment })} />
      <FilterBar>
        <ImmediateFilter label="Name contains" value={name} onChange={(text) => change({ name: text })} />
      </FilterBar>
      {at === undefined ? <QueuesNow name={name} /> : <QueuesAt name={name} at={at} />}
    </Page>
  );
}

function QueuesNow({ name }: { name: string }) {
  const query = useInfiniteQuery(queuesQuery);
  const { hasNextPage } = query;
  const onEnd = useOnEnd(query);
  const loaded = query.data?.pages.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
  const isRanking = hasNextPage && loaded < maxRanked;
  useEffect(() => {
    if (isRanking) onEnd();
  }, [isRanking, onEnd]);
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data).filter(({ queueName }) => contains(queueName, name));
        if (rows.length === 0 && !hasNextPage) return <NoQueues isFiltered={name !== ''} />;
        return <QueueTable rows={rows} hasMore={hasNextPage} onEnd={onEnd} />;
      }}
    </Loaded>
  );
}

function QueueTable({ rows, hasMore, onEnd }: { rows: readonly QueueRow[]; hasMore: boolean; onEnd(): void }) {
  const { state } = queuesRoute.useSearch();
  const [hidden, hide] = useHiddenColumns('queues');
  const [chosen, setChosen] = useState<string[]>([]);
  const shown = worstFirst(state ? rows.filter(({ status }) => status === state) : rows);
  return (
    <>
      <TableTools columns={queueColumns} hidden={hidden} onHide={hide}>
        <StateChips rows={rows} isPart={hasMore} />
        <ChosenQueues rows={shown.filter(({ queueName }) => chosen.includes(queueName))} onDone={() => setChosen([])} />
      </TableTools>
      {shown.length === 0 && !hasMore ? (
        <Notice title="No queue is in this state">Choose another state to see more.</Notice>
      ) : (
        <VirtualTable
          label="Queues"
          columns={queueColumns}
          hidden={hidden}
          selection={{ keys: chosen, onChange: setChosen }}
          rows={shown}
          rowKey={keyOf}
          hasMore={hasMore}
          onEnd={onEnd}
        />
      )}
    </>
  );
}

const keyOf = ({ queueName }: QueueRow): string => queueName;

/** The states in which queues are, each with their number. */
function StateChips({ rows, isPart }: { rows: readonly QueueRow[]; isPart: boolean }) {
  const [{ state }, change] = useSearch(queuesRoute);
  const counts = countByStatus(rows);
  const numberOf = (count: number): string => `${formatCount(count)}${isPart ? '+' : ''}`;
  const choices: { value: QueueStatus | 'all'; label: string }[] = [
    { value: 'all', label: `All ${numberOf(rows.length)}` },
    ...queueStatuses
      .filter((status) => counts.has(status) || status === state)
      .map((status) => ({ value: status, label: `${queueStatusName(status)} ${numberOf(counts.get(status) ?? 0)}` })),
  ];
  return (
    <ToggleChoice<QueueStatus | 'all'>
      label="State"
      value={state ?? 'all'}
      choices={choices}
      onChange={(value) => change({ state: value === 'all' ? undefined : value })}
    />
  );
}

const QueuesAt = ({ name, at }: { name: string; at: number }) => (
  <PastMoment at={at} notKept="states and their reasons, workers, limits, and queues without jobs">
    {({ queues }) => <PastQueues at={at} queues={queues.filter(({ queue }) => contains(queue, name))} />}
  </PastMoment>
);

const NoQueues = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No queue has a name like this">Remove the filter to see all queues.</Notice>
  ) : (
    <Notice title="There are no queues yet">A queue exists from its first job or worker on.</Notice>
  );

interface ChosenQueuesProps {
  rows: readonly QueueRow[];
  /** Called when an act is done. */
  onDone(): void;
}

/** What can be done with the queues that are chosen: pause those that run, resume those that are paused. */
function ChosenQueues({ rows, onDone }: ChosenQueuesProps) {
  const session = useSession();
  const [isPausing, setPausing] = useState(false);
  const [busy, act] = useAct();
  if (rows.length === 0 || !mayOperate(session)) return null;
  const paused = rows.filter(({ enabled }) => !enabled).map(({ queueName }) => queueName);
  const running = rows.filter(({ enabled }) => enabled).map(({ queueName }) => queueName);
  const resume = async () => {
    try {
      await inTurn(paused, (name) => api.queues.resume(name));
    } finally {
      await refresh('queues');
    }
    onDone();
  };
  return (
    <>
      <span aria-live="polite">{formatCount(rows.length)} chosen</span>
      {running.length > 0 && (
        <Button size="s" icon="pause" onPress={() => setPausing(true)}>
          {`Pause ${formatCount(running.length)}…`}
        </Button>
      )}
      {paused.length > 0 && (
        <Button size="s" icon="play" isDisabled={busy} onPress={() => act(`${queuesOf(paused)} resumed`, resume)}>
          {`Resume ${formatCount(paused.length)}`}
        </Button>
      )}
      {isPausing && <PauseQueueDialog names={running} onDone={onDone} onClose={() => setPausing(false)} />}
    </>
  );
}

const queuesOf = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]} is` : `${formatCount(names.length)} queues are`;
