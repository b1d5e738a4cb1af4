import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/field';
import { ChoiceFilter, FilterBar, FilterField } from '../../ui/filters';
import { jobStatuses, jobStatusLabel } from '../../ui/job-status';
import { TimeField } from '../../ui/time-field';
import styles from './jobs-screen.module.css';
import { JobSearchField } from './job-search-field';
import { isFiltered, statusesOf } from './queries';
import type { JobsSearch } from './jobs-search';
import { jobsRoute } from '../../app/screens';
import { useSearch } from '../../app/use-search';

const orderChoices = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'updated', label: 'Last changed first' },
  { value: 'priority', label: 'Highest priority first' },
] as const;

/** All filters of the list; each is a part of the address, so that a view can be shared. */
export function JobFilterBar({ search }: { search: JobsSearch }) {
  const navigate = jobsRoute.useNavigate();
  const [, change] = useSearch(jobsRoute);
  const statuses = statusesOf(search);
  return (
    <div className={styles.filters}>
      <JobSearchField value={search.search} onChange={(line) => change({ search: line })} />
      <FilterBar>
        <FilterField label="Queue" value={search.queue} onChange={(queue) => change({ queue })} />
        <FilterField label="Type" value={search.type} onChange={(type) => change({ type })} />
        <FilterField label="Tag" value={search.tag} onChange={(tag) => change({ tag })} />
        <TimeField label="Created after" value={search.after} onChange={(after) => change({ after })} />
        <TimeField label="Created before" value={search.before} onChange={(before) => change({ before })} />
        <ChoiceFilter
          label="Order"
          value={search.order}
          choices={orderChoices}
          all="Newest first"
          onChange={(order) => change({ order })}
        />
      </FilterBar>
      <fieldset className={styles.statuses}>
        <legend>Status</legend>
        {jobStatuses.map((status) => (
          <Checkbox
            key={status}
            label={jobStatusLabel(status)}
            checked={statuses.includes(status)}
            onChange={(checked) => {
              const chosen = jobStatuses.filter((one) => (one === status ? checked : statuses.includes(one)));
              change({ status: chosen.join(',') || undefined });
            }}
          />
        ))}
        {isFiltered(search) && (
          <span className={styles.end}>
            <Button
              size="s"
              variant="quiet"
              onPress={() => void navigate({ search: { columns: search.columns, follow: search.follow } })}
            >
              Remove all filters
            </Button>
          </span>
        )}
      </fieldset>
    </div>
  );
}
