import { useInfiniteQuery } from '@tanstack/react-query';
import { AuditList } from '../../parts/audit-list';
import { FilterBar, FilterField } from '../../ui/filters';
import { Page } from '../../ui/page';
import { platformAuditQuery } from './queries';
import { platformAuditRoute } from '../../app/screens';

/** The audit log of all organizations, also what the administrator did. */
export function PlatformAuditScreen() {
  const search = platformAuditRoute.useSearch();
  const navigate = platformAuditRoute.useNavigate();
  const query = useInfiniteQuery(platformAuditQuery(search));
  const { organizationId } = search;
  return (
    <Page title="Audit log of all organizations">
      <FilterBar>
        <FilterField
          label="Id of the organization"
          value={organizationId}
          onChange={(id) => void navigate({ search: (before) => ({ ...before, organizationId: id }), replace: true })}
        />
      </FilterBar>
      <AuditList
        query={query}
        search={search}
        onSearch={(change) =>
          void navigate({
            search: (before) => ({ ...change(before), organizationId: before.organizationId }),
            replace: true,
          })
        }
      />
    </Page>
  );
}
