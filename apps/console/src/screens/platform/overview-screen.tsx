import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDuration, formatShort } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { facts, Page, Section } from '../../ui/page';
import { CapacitySection } from './capacity-section';
import { IsolationSection } from './isolation-section';
import { LoadSection } from './load-section';
import { statsQuery } from './queries';
import { ServicesSection } from './services-section';

/** The installation at a glance: what runs, what is near its limit, whether tenants are isolated, who makes the load. */
export const OverviewScreen = () => (
  <Page title="Platform">
    <ServicesSection />
    <CapacitySection />
    <IsolationSection />
    <LoadSection />
    <Loaded query={useQuery(statsQuery)} lines={6}>
      {(stats) => <Totals stats={stats} />}
    </Loaded>
  </Page>
);

const Totals = ({ stats }: { stats: ResponseBody<'GET /api/v1/admin/stats'> }) => (
  <Section title="Totals" aside={<Link to="/platform/organizations">All organizations</Link>}>
    {facts({
      Organizations: formatCount(stats.activeOrganizations),
      'New today': formatCount(stats.organizations.createdToday),
      'New this week': formatCount(stats.organizations.createdThisWeek),
      'Active jobs': formatShort(stats.jobs.totalActive),
      'Running jobs': formatShort(stats.jobs.processing),
      'Completed in 24 h': formatShort(stats.jobs.completed24h),
      'Failed in 24 h': formatShort(stats.jobs.failed24h),
      Queues: formatCount(stats.totalQueues),
      Workers: `${formatCount(stats.workers.healthy)} healthy of ${formatCount(stats.workers.total)}`,
      'API keys': formatCount(stats.totalApiKeys),
      'This gateway runs for': formatDuration(stats.system.uptimeSeconds * 1000),
    })}
  </Section>
);
