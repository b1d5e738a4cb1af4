import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayOperate } from '../../api/session';
import { useAct } from '../../app/use-act';
import { useSession } from '../../app/use-session';
import { ActButton } from '../../ui/act-button';
import { Button } from '../../ui/button';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { momentOf } from '../../parts/past/moment';
import { PastMoment } from '../../parts/past/past-moment';
import { PastNumbers } from '../../parts/past/past-numbers';
import { TimeControl } from '../../parts/past/time-control';
import { PeriodChoice } from '../../parts/period-choice';
import { SeriesCharts } from '../../parts/series-charts';
import { queueExplanationQuery } from './queries';
import { QueueActivity } from './queue-activity';
import { DeleteQueueDialog, PauseQueueDialog } from './queue-dialogs';
import { QueueProducers } from './queue-producers';
import { QueueProblems } from './queue-problems';
import { QueueSettings } from './queue-settings';
import { QueueState } from './queue-state';
import { queueRoute } from './route';

/** One queue: why it does or does not move, what is in it, its settings; or how it was at a moment of the past. */
export function QueueScreen() {
  const { name } = queueRoute.useParams();
  const { at: atText } = queueRoute.useSearch();
  const navigate = queueRoute.useNavigate();
  const at = momentOf(atText);
  const explanation = useQuery({ ...queueExplanationQuery(name), enabled: at === undefined });
  const current = at === undefined ? explanation.data : undefined;
  const isPaused = current?.problems.some(({ code }) => code === 'queue_paused');
  return (
    <Page
      title={name}
      badge={current && <QueueState explanation={current} />}
      back={
        <Link to="/queues" search={{ at: atText }}>
          All queues
        </Link>
      }
      actions={
        at === undefined ? (
          isPaused !== undefined && <QueueActions name={name} isPaused={isPaused} refused={null} />
        ) : (
          <QueueActions name={name} isPaused={false} refused="the page shows the past" />
        )
      }
    >
      <TimeControl
        at={at}
        onChange={(moment) => void navigate({ search: (before) => ({ ...before, at: moment }), replace: true })}
      />
      {at === undefined ? <QueueNow name={name} explanation={explanation} /> : <QueueAt name={name} at={at} />}
    </Page>
  );
}

interface QueueNowProps {
  name: string;
  explanation: UseQueryResult<QueueExplanation>;
}

function QueueNow({ name, explanation }: QueueNowProps) {
  const { period = 'hour' } = queueRoute.useSearch();
  const navigate = queueRoute.useNavigate();
  return (
    <>
      <Loaded query={explanation} lines={6}>
        {(data) => (
          <>
            <Section title="Why it does or does not move" aside={<Time value={data.checkedAt} />}>
              <QueueProblems explanation={data} />
            </Section>
            <QueueActivity explanation={data} />
          </>
        )}
      </Loaded>
      <Section
        title="Over time"
        aside={
          <PeriodChoice
            value={period}
            onChange={(chosen) => void navigate({ search: { period: chosen }, replace: true })}
          />
        }
      >
        <SeriesCharts queue={name} period={period} />
      </Section>
      <QueueProducers name={name} />
      <QueueSettings name={name} explanation={explanation.data} />
    </>
  );
}

const QueueAt = ({ name, at }: { name: string; at: number }) => (
  <PastMoment at={at} notKept="why it moved or not, workers, who filled it, and settings">
    {({ queues }) => {
      const minute = queues.find(({ queue }) => queue === name);
      return (
        <>
          {minute ? (
            <PastNumbers minute={minute} />
          ) : (
            <Notice title="Nothing is kept of this queue at this moment">
              Nothing waited, ran or ended in the minute before, or the queue was not among the busiest.
            </Notice>
          )}
          <Section title="Over time">
            <SeriesCharts queue={name} period="hour" mark={at} />
          </Section>
        </>
      );
    }}
  </PastMoment>
);

interface QueueActionsProps {
  name: string;
  isPaused: boolean;
  /** Why nothing can be changed; null if it can. */
  refused: string | null;
}

function QueueActions({ name, isPaused, refused }: QueueActionsProps) {
  const session = useSession();
  const [dialog, setDialog] = useState<'pause' | 'delete' | null>(null);
  const [busy, act] = useAct();
  if (!mayOperate(session)) return null;
  const resume = async () => {
    await api.queues.resume(name);
    await refresh('queues');
  };
  const close = () => setDialog(null);
  return (
    <>
      {isPaused ? (
        <Button variant="primary" icon="play" isDisabled={busy} onPress={() => act(`${name} is resumed`, resume)}>
          Resume
        </Button>
      ) : (
        <ActButton icon="pause" refused={refused} onPress={() => setDialog('pause')}>
          Pause
        </ActButton>
      )}
      <ActButton refused={refused} onPress={() => setDialog('delete')}>
        Delete…
      </ActButton>
      {dialog === 'pause' && <PauseQueueDialog name={name} onClose={close} />}
      {dialog === 'delete' && <DeleteQueueDialog name={name} onClose={close} />}
    </>
  );
}
