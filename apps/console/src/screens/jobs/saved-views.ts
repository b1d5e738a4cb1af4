import { stringifySearch } from '../../app/search-params';
import { type JobsSearch, jobsSearch } from './jobs-search';

/** Filters, order and columns under a name. */
export interface SavedView {
  name: string;
  search: JobsSearch;
}

/** More would not be found again, and storage holds some megabytes only. */
export const maxViews = 50;
export const maxNameLength = 60;

/** What a view keeps of an address. Following events is what one does at the moment. */
export const viewOf = ({ follow: _follow, ...search }: JobsSearch): JobsSearch => search;

/** Equal for addresses with the same filters, order and columns. */
export const viewKey = (search: JobsSearch): string => stringifySearch({ ...jobsSearch({ ...viewOf(search) }) });

/** The stored views; entries that are no views are left out, because users can change the storage. */
export function readViews(text: string | null): SavedView[] {
  const kept = parse(text);
  if (!Array.isArray(kept)) return [];
  return kept
    .filter(isView)
    .slice(0, maxViews)
    .map(({ name, search }) => ({ name, search: viewOf(jobsSearch(search)) }));
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is { name: string; search: Record<string, unknown> } => {
  const { name, search } = (value ?? {}) as Partial<SavedView>;
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= maxNameLength &&
    typeof search === 'object' &&
    search !== null
  );
};

/** A new list with the view, in place of one of the same name; ordered by name. @throws Error when there are too many */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const others = withoutView(views, view.name);
  if (others.length >= maxViews) throw new Error(`At most ${maxViews} views are kept. Delete one that is not needed.`);
  return [...others, view].sort((one, other) => one.name.localeCompare(other.name));
}

export const withoutView = (views: readonly SavedView[], name: string): SavedView[] =>
  views.filter((view) => view.name !== name);
