import { useSearch } from '../../app/use-search';
import { useInfiniteQuery } from '@tanstack/react-query';
import { AuditList } from '../../parts/audit-list';
import { FilterBar, FilterField } from '../../ui/filters';
import { Page } from '../../ui/page';
import { platformAuditQuery } from './queries';
import { platformAuditRoute } from '../../app/screens';

/** The audit log of all organizations, also what the administrator did. */
export function PlatformAuditScreen() {
  const [search, change] = useSearch(platformAuditRoute);
  const query = useInfiniteQuery(platformAuditQuery(search));
  return (
    <Page title="Audit log of all organizations">
      <FilterBar>
        <FilterField
          label="Id of the organization"
          value={search.organizationId}
          onChange={(organizationId) => change({ organizationId })}
        />
      </FilterBar>
      <AuditList query={query} search={search} change={change} />
    </Page>
  );
}
