import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { TextField } from '../../ui/field';
import { type JobStatus, jobStatuses } from '../../ui/job-status';
import { queuesQuery } from '../queues/queries';
import styles from './jobs-screen.module.css';
import { suggestionsFor } from './search-suggestions';

interface JobSearchFieldProps {
  value: string | undefined;
  onChange(value: string | undefined): void;
  /** Those that are suggested: what the list can show. */
  statuses?: readonly JobStatus[];
}

/** The search line: it is read when Enter is pressed or the field is left, and suggests terms, queues and statuses. */
export function JobSearchField({ value = '', onChange, statuses = jobStatuses }: JobSearchFieldProps) {
  const [line, setLine] = useState(value);
  useEffect(() => setLine(value), [value]);
  const suggestionsId = useId();
  const { data } = useInfiniteQuery({ ...queuesQuery, enabled: line.includes('queue:') });
  const queues = data?.pages.flatMap((page) => page.data.map(({ queueName }) => queueName)) ?? [];
  const search = () => {
    if (line.trim() !== value) onChange(line.trim() || undefined);
  };
  return (
    <form
      className={styles.search}
      onBlur={search}
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <TextField
        label="Search"
        type="search"
        list={suggestionsId}
        placeholder="payload.order=4711 tag:customer=acme error~timeout created:<1h"
        value={line}
        onChange={setLine}
      />
      <datalist id={suggestionsId}>
        {suggestionsFor(line, { queues, statuses }).map((suggestion) => (
          <option key={suggestion.line} value={suggestion.line}>
            {suggestion.about}
          </option>
        ))}
      </datalist>
    </form>
  );
}
