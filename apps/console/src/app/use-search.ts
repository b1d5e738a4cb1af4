export interface SearchRoute<Search> {
  useSearch(): Search;
  useNavigate(): unknown;
}

type Navigate<Search> = (to: { search: (before: Search) => Search; replace: boolean }) => Promise<void>;

/** The search parameters of a route, and what changes some of them without another entry in the history. */
export function useSearch<Search extends object>(
  route: SearchRoute<Search>,
): [search: Search, change: (part: Partial<Search>) => void] {
  const navigate = route.useNavigate() as Navigate<Search>;
  return [route.useSearch(), (part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })];
}
