import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Choice, SelectField, TextField } from './field';
import { Button } from './button';
import styles from './filters.module.css';

interface FilterBarProps {
  /** Fields, in columns of one width. */
  children: ReactNode;
  /** Removes all filters; absent while there are none. */
  onClear?: (() => void) | undefined;
}

/** The filters of a list. */
export const FilterBar = ({ children, onClear }: FilterBarProps) => (
  <div className={styles.bar} role="group" aria-label="Filters">
    {children}
    {onClear && (
      <div>
        <Button variant="quiet" onPress={onClear}>
          Remove all filters
        </Button>
      </div>
    )}
  </div>
);

/** Typing changes the address, and reads the list, after this pause. */
const typingMs = 300;

interface FilterFieldProps {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A text that filters a list. Follows the address, which also changes by links and the browser's back button. */
export function FilterField({ label, value = '', onChange }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  useEffect(() => {
    // The address follows a moment later, when more may have been typed.
    if (value === sent.current) return;
    sent.current = value;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = typed.trim();
      onChange(sent.current || undefined);
    }, typingMs);
  };
  return <TextField label={label} type="search" value={text} onChange={type} />;
}

/** As `FilterField`, at each letter. */
export const ImmediateFilter = ({ label, value = '', onChange }: FilterFieldProps) => (
  <TextField label={label} type="search" value={value} onChange={(text) => onChange(text || undefined)} />
);

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T | undefined;
  /** What may be chosen in place of all. */
  choices: readonly Choice<T>[];
  /** The choice that filters nothing. @default 'All' */
  all?: string;
  onChange(value: T | undefined): void;
}

/** A choice that filters a list. */
export const ChoiceFilter = <T extends string>({ label, value, choices, all, onChange }: ChoiceFilterProps<T>) => (
  <SelectField<T | ''>
    label={label}
    value={value ?? ''}
    choices={[{ value: '', label: all ?? 'All' }, ...choices]}
    onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
  />
);
