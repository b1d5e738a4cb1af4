import { PeriodChoice } from '../../parts/period-choice';
import { SeriesCharts } from '../../parts/series-charts';
import { Notice } from '../../ui/notice';
import { Page, Section } from '../../ui/page';
import { useSession } from '../../app/use-session';
import { BusiestQueues, Numbers } from './numbers';
import { Problems } from './problems';
import { nowRoute } from './route';

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
  const { period = 'hour' } = nowRoute.useSearch();
  const navigate = nowRoute.useNavigate();
  return (
    <Page title="Now">
      <Problems />
      <Numbers />
      <Section
        title="All queues over time"
        aside={
          <PeriodChoice
            value={period}
            onChange={(chosen) => void navigate({ search: { period: chosen }, replace: true })}
          />
        }
      >
        <SeriesCharts period={period} />
      </Section>
      <BusiestQueues />
    </Page>
  );
}
