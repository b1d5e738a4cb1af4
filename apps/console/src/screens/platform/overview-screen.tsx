import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDuration, formatShort } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Fact, Facts, Page, Section } from '../../ui/page';
import { CapacitySection } from './capacity-section';
import { IsolationSection } from './isolation-section';
import { LoadSection } from './load-section';
import { statsQuery } from './queries';
import { ServicesSection } from './services-section';

/** The installation at a glance: what runs, what is near its limit, whether tenants are isolated, who makes the load. */
export function OverviewScreen() {
  const query = useQuery(statsQuery);
  return (
    <Page title="Platform">
      <ServicesSection />
      <CapacitySection />
      <IsolationSection />
      <LoadSection />
      <Loaded query={query} lines={6}>
        {(stats) => <Totals stats={stats} />}
      </Loaded>
    </Page>
  );
}

const Totals = ({ stats }: { stats: ResponseBody<'GET /api/v1/admin/stats'> }) => (
  <Section title="Totals" aside={<Link to="/platform/organizations">All organizations</Link>}>
    <Facts>
      <Fact name="Organizations">{formatCount(stats.activeOrganizations)}</Fact>
      <Fact name="New today">{formatCount(stats.organizations.createdToday)}</Fact>
      <Fact name="New this week">{formatCount(stats.organizations.createdThisWeek)}</Fact>
      <Fact name="Active jobs">{formatShort(stats.jobs.totalActive)}</Fact>
      <Fact name="Running jobs">{formatShort(stats.jobs.processing)}</Fact>
      <Fact name="Completed in 24 h">{formatShort(stats.jobs.completed24h)}</Fact>
      <Fact name="Failed in 24 h">{formatShort(stats.jobs.failed24h)}</Fact>
      <Fact name="Queues">{formatCount(stats.totalQueues)}</Fact>
      <Fact name="Workers">{`${formatCount(stats.workers.healthy)} healthy of ${formatCount(stats.workers.total)}`}</Fact>
      <Fact name="API keys">{formatCount(stats.totalApiKeys)}</Fact>
      <Fact name="This gateway runs for">{formatDuration(stats.system.uptimeSeconds * 1000)}</Fact>
    </Facts>
  </Section>
);
