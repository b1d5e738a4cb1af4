import { useEffect, useRef, useState } from 'react';
import { timeOf } from '../app/search-params';
import { TextField } from './field';

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
export const TimeFilterField = ({ label, value, onChange }: FilterFieldProps) => (
  <TextField
    label={label}
    type="datetime-local"
    value={value ? toLocal(value) : ''}
    onChange={(text) => onChange(timeOf(text))}
  />
);

function toLocal(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
