import { useInfiniteQuery } from '@tanstack/react-query';
import { pagedQuery } from '../../api/paged-query';
import { useSearch } from '../../app/use-search';
import { useSession } from '../../app/use-session';
import { AuditList } from '../../parts/audit-list';
import { auditFilters } from '../../parts/audit-search';
import { isForAllQueues } from '../../parts/roles';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { auditRoute } from '../../app/screens';

const pageSize = 50;

const auditQuery = (filters: ReturnType<typeof auditFilters>) =>
  pagedQuery('GET /api/v1/audit', {
    queryKey: ['audit', 'list', filters],
    query: { ...filters, limit: pageSize },
    meta: { label: 'Audit log', topics: [] },
  });

/** Who changed settings of the organization, and who acted on many jobs. */
export function AuditScreen() {
  const session = useSession();
  return (
    <Page title="Audit log">
      {isForAllQueues(session.apiKey?.queues ?? []) ? (
        <OwnAuditLog />
      ) : (
        <Notice tone="info" title="The audit log is for keys of all queues">
          Sign in with a key that is not restricted to some queues.
        </Notice>
      )}
    </Page>
  );
}

function OwnAuditLog() {
  const [search, change] = useSearch(auditRoute);
  const query = useInfiniteQuery(auditQuery(auditFilters(search)));
  return <AuditList query={query} search={search} change={change} isLinked />;
}
