import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSearch } from '../../app/use-search';
import { momentOf, momentText } from '../../parts/past/moment';
import { PastMoment } from '../../parts/past/past-moment';
import { PastNumbers } from '../../parts/past/past-numbers';
import { PastQueues } from '../../parts/past/past-queues';
import { TimeControl } from '../../parts/past/time-control';
import { ChartsChoice } from '../../parts/charts-choice';
import { seriesQuery } from '../../parts/series';
import { useCharts } from '../../parts/use-chart-range';
import { SeriesCharts } from '../../parts/series-charts';
import { Notice } from '../../ui/notice';
import { Page, Section } from '../../ui/page';
import { useLoadedInOrder } from '../../ui/use-loaded-in-order';
import { useSession } from '../../app/use-session';
import { BusiestQueues, Numbers } from './numbers';
import { Problems } from './problems';
import { dashboardQuery, problemsQuery } from './queries';
import { nowRoute } from '../../app/screens';

/** What is wrong now, first of all; then how much comes and goes. */
export function NowScreen() {
  const { kind } = useSession();
  if (kind === 'administrator') {
    return (
      <Page title="Administration">
        <Notice title="You are signed in as the administrator">
          Sign in with an API key to see the jobs of an organization.
        </Notice>
      </Page>
    );
  }
  return <OrganizationNow />;
}

function OrganizationNow() {
  const [{ at: atText }, change] = useSearch(nowRoute);
  const at = momentOf(atText);
  return (
    <Page title="Now">
      <TimeControl at={at} onChange={(moment) => change({ at: moment })} />
      {at === undefined ? <Current /> : <NowAt at={at} />}
    </Page>
  );
}

function Current() {
  const { shown, choose } = useCharts(nowRoute);
  const { period, compare } = shown;
  const loaded = useLoadedInOrder([
    useQuery(problemsQuery),
    useQuery(dashboardQuery),
    useQuery(seriesQuery(undefined, period)),
  ]);
  return (
    <>
      <Problems />
      {loaded > 0 && <Numbers />}
      {loaded > 1 && (
        <Section
          title="All queues over time"
          aside={<ChartsChoice period={period} compare={compare} onChange={choose} />}
        >
          <SeriesCharts {...shown} />
        </Section>
      )}
      {loaded > 2 && <BusiestQueues />}
    </>
  );
}

const mostQueues = 10;

/** The same, as of a moment of the past. */
function NowAt({ at }: { at: number }) {
  const { range, onRange } = useCharts(nowRoute).shown;
  return (
    <PastMoment at={at} notKept="problems, workers, and whether PostgreSQL and Redis responded">
      {({ all, queues }) => (
        <>
          <PastNumbers minute={all} />
          <Section title="All queues over time">
            <SeriesCharts period="hour" {...{ mark: at, range, onRange }} />
          </Section>
          <Section
            title="Queues with the most jobs"
            aside={
              <Link to="/queues" search={{ at: momentText(at) }}>
                All queues
              </Link>
            }
          >
            <PastQueues at={at} queues={queues.slice(0, mostQueues)} />
          </Section>
        </>
      )}
    </PastMoment>
  );
}
