import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayOperate } from '../../api/session';
import { useAct } from '../../app/use-act';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { Time } from '../../ui/time';
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

/** One queue: why it does or does not move, what is in it, its settings. */
export function QueueScreen() {
  const { name } = queueRoute.useParams();
  const { period = 'hour' } = queueRoute.useSearch();
  const navigate = queueRoute.useNavigate();
  const explanation = useQuery(queueExplanationQuery(name));
  const isPaused = explanation.data?.problems.some(({ code }) => code === 'queue_paused');
  return (
    <Page
      title={name}
      badge={explanation.data && <QueueState explanation={explanation.data} />}
      back={<Link to="/queues">All queues</Link>}
      actions={isPaused === undefined ? undefined : <QueueActions name={name} isPaused={isPaused} />}
    >
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
    </Page>
  );
}

function QueueActions({ name, isPaused }: { name: string; isPaused: boolean }) {
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
        <Button icon="pause" onPress={() => setDialog('pause')}>
          Pause
        </Button>
      )}
      <Button onPress={() => setDialog('delete')}>Delete…</Button>
      {dialog === 'pause' && <PauseQueueDialog name={name} onClose={close} />}
      {dialog === 'delete' && <DeleteQueueDialog name={name} onClose={close} />}
    </>
  );
}
