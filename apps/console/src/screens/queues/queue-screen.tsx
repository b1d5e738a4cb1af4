import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSearch } from '../../app/use-search';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { facts, Page, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { momentOf } from '../../parts/past/moment';
import { PastMoment } from '../../parts/past/past-moment';
import { PastNumbers } from '../../parts/past/past-numbers';
import { TimeControl } from '../../parts/past/time-control';
import { ChartsChoice } from '../../parts/charts-choice';
import { SeriesCharts } from '../../parts/series-charts';
import { useCharts } from '../../parts/use-chart-range';
import { useLoadedInOrder } from '../../ui/use-loaded-in-order';
import { seriesQuery } from '../../parts/series';
import {
  contractVersionsQuery,
  producersQuery,
  queueCountsQuery,
  queueExplanationQuery,
  queueQuery,
  settingsOf,
} from './queries';
import { QueueActions } from './queue-actions';
import { QueueActivity } from './queue-activity';
import { QueueContract } from './queue-contract';
import { QueueProducers } from './queue-producers';
import { QueueProblems } from './queue-problems';
import { QueueState } from './queue-state';
import { QueueWhatIf } from './queue-what-if';
import { queueRoute } from '../../app/screens';
import { mayOperate, useSession } from '../../app/use-session';
import { DialogButtons } from '../../ui/dialog-buttons';
import { formatDuration } from '../../ui/format';
import { causeReportWords, readCauseReports } from './cause-reports';
import { CauseReportsDialog } from './cause-reports-dialog';
import { SettingsDialog } from './settings-dialog';

/** One queue: why it does or does not move, what is in it, its settings; or how it was at a moment of the past. */
export function QueueScreen() {
  const { name } = queueRoute.useParams();
  const [{ at: atText }, change] = useSearch(queueRoute);
  const at = momentOf(atText);
  const explanation = useQuery({ ...queueExplanationQuery(name), enabled: at === undefined });
  const current = at === undefined ? explanation.data : undefined;
  return (
    <Page
      title={name}
      badge={current && <QueueState explanation={current} />}
      back={
        <Link to="/queues" search={{ at: atText }}>
          All queues
        </Link>
      }
      actions={(current ?? at) !== undefined && <QueueActions name={name} problems={current?.problems} />}
    >
      <TimeControl at={at} onChange={(moment) => change({ at: moment })} />
      {at === undefined ? <QueueNow name={name} explanation={explanation} /> : <QueueAt name={name} at={at} />}
    </Page>
  );
}

function QueueNow({ name, explanation }: { name: string; explanation: UseQueryResult<QueueExplanation> }) {
  const { shown, choose } = useCharts(queueRoute);
  const { period, compare } = shown;
  const loaded = useLoadedInOrder([
    explanation,
    useQuery(queueCountsQuery(name)),
    useQuery(queueQuery(name)),
    useQuery(seriesQuery(name, period)),
    useQuery(producersQuery(name)),
    useQuery(contractVersionsQuery(name)),
  ]);
  return (
    <>
      <Loaded query={explanation} lines={6}>
        {(data) => <QueueProspects explanation={data} loaded={loaded} />}
      </Loaded>
      {loaded > 2 && (
        <Section title="Over time" aside={<ChartsChoice period={period} compare={compare} onChange={choose} />}>
          <SeriesCharts queue={name} {...shown} />
        </Section>
      )}
      {loaded > 3 && <QueueProducers name={name} />}
      {loaded > 4 && <QueueSettings name={name} explanation={explanation.data} />}
      {loaded > 5 && <QueueContract name={name} />}
    </>
  );
}

/** Why the queue moves or not, what is in it, and what more workers would do. */
function QueueProspects({ explanation, loaded }: { explanation: QueueExplanation; loaded: number }) {
  const [{ workers }, change] = useSearch(queueRoute);
  return (
    <>
      <Section title="Why it does or does not move" aside={<Time value={explanation.checkedAt} />}>
        <QueueProblems explanation={explanation} />
      </Section>
      <QueueActivity explanation={explanation} />
      {loaded > 1 && (
        <QueueWhatIf explanation={explanation} workers={workers} onChange={(more) => change({ workers: more })} />
      )}
    </>
  );
}

function QueueAt({ name, at }: { name: string; at: number }) {
  const { range, onRange } = useCharts(queueRoute).shown;
  return (
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
              <SeriesCharts queue={name} period="hour" {...{ mark: at, range, onRange }} />
            </Section>
          </>
        );
      }}
    </PastMoment>
  );
}

function QueueSettings({ name, explanation }: { name: string; explanation: QueueExplanation | undefined }) {
  const query = useQuery(queueQuery(name));
  const session = useSession();
  return (
    <Section
      title="Settings"
      aside={
        mayOperate(session) &&
        query.data && (
          <DialogButtons
            of={{ settings: query.data, explanation }}
            buttons={[
              { label: 'Report failures…', size: 's', dialog: CauseReportsDialog },
              { label: 'Change settings', size: 's', dialog: SettingsDialog },
            ]}
          />
        )
      }
    >
      <Loaded query={query}>
        {(settings) => (
          <>
            {facts({
              Retries: settings.maxRetries,
              Timeout: formatDuration(settings.defaultTimeout * 1000),
              'Rate limit': settings.rateLimit === null ? 'None' : `${settings.rateLimit} jobs/s`,
              Concurrency: settingsOf(settings).concurrency ?? 'No limit',
              'Causes of failures are reported': causeReportWords(readCauseReports(settings.settings)),
              Receiver: settings.receiver && receiverStates[settings.receiver.state],
            })}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const receiverStates = { closed: 'Responds', open: 'Does not respond; calls wait', unknown: 'Unknown' } as const;
