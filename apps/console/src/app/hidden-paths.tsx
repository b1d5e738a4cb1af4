import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { hiddenPathsSetting, organizationQuery } from '../api/organization';
import { HiddenPathsProvider, readHiddenPaths } from '../ui/hidden-values';
import { useSession } from './use-session';

/** Tells all JSON trees what hides in them. Administrators see no jobs, so for them only secret names do. */
export function HiddenPaths({ children }: { children: ReactNode }) {
  const { organization } = useSession();
  const { data } = useQuery({ ...organizationQuery(organization?.id ?? ''), enabled: organization !== null });
  const paths = useMemo(() => {
    if (organization === null) return [];
    return data ? readHiddenPaths(data.settings[hiddenPathsSetting]) : null;
  }, [organization, data]);
  return <HiddenPathsProvider value={paths}>{children}</HiddenPathsProvider>;
}
