import { useEffect, useRef, useState } from 'react';
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
