import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { Checkbox, SelectField, TextField } from '../../ui/field';
import { jobStatuses, jobStatusLabel } from '../../ui/job-status';
import styles from './jobs-screen.module.css';
import { statusesOf } from './queries';
import type { JobsSearch } from './route';

/** Typing changes the address, and reads the list, after this pause. */
const typingMs = 300;

const orderChoices = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'updated', label: 'Last changed first' },
  { value: 'priority', label: 'Highest priority first' },
] as const;

/** All filters of the list; each is a part of the address, so that a view can be shared. */
export function JobFilterBar({ search }: { search: JobsSearch }) {
  const navigate = useNavigate();
  const change = (part: Partial<JobsSearch>) =>
    void navigate({ to: '/jobs', search: { ...search, ...part }, replace: true });
  const statuses = statusesOf(search);
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      <div className={styles.fields}>
        <TypedField label="Queue" value={search.queue} onChange={(queue) => change({ queue })} />
        <TypedField label="Id, queue or type" value={search.q} onChange={(q) => change({ q })} />
        <TypedField label="Type" value={search.type} onChange={(type) => change({ type })} />
        <TypedField label="Tag" value={search.tag} onChange={(tag) => change({ tag })} />
        <TimeField label="Created after" value={search.after} onChange={(after) => change({ after })} />
        <TimeField label="Created before" value={search.before} onChange={(before) => change({ before })} />
        <SelectField<NonNullable<JobsSearch['order']>>
          label="Order"
          value={search.order ?? 'newest'}
          choices={orderChoices}
          onChange={(order) => change({ order: order === 'newest' ? undefined : order })}
        />
      </div>
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
        {isFiltered && (
          <span className={styles.end}>
            <Button size="s" variant="quiet" onPress={() => void navigate({ to: '/jobs', search: {} })}>
              Remove all filters
            </Button>
          </span>
        )}
      </fieldset>
    </div>
  );
}

interface FilterFieldProps {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** Follows the address, which also changes by links and the browser's back button. */
function TypedField({ label, value = '', onChange }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setText(value);
    return () => clearTimeout(timer.current);
  }, [value]);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(typed.trim() || undefined), typingMs);
  };
  return <TextField label={label} type="search" value={text} onChange={type} />;
}

/** A moment in the zone of the browser; ISO 8601 in the address. */
const TimeField = ({ label, value, onChange }: FilterFieldProps) => (
  <TextField
    label={label}
    type="datetime-local"
    value={value ? toLocal(value) : ''}
    onChange={(text) => onChange(text ? new Date(text).toISOString() : undefined)}
  />
);

function toLocal(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
