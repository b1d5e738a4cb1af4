import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  /** Beside the label. */
  aside?: ReactNode;
  /** Below the field. */
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | null;
}

interface InputProps extends FieldProps {
  value: string;
  onChange(value: string): void;
  type?: 'text' | 'password' | 'number' | 'search' | 'datetime-local';
  autoComplete?: string;
  placeholder?: string;
  required?: boolean;
  min?: number;
  max?: number;
  /** Absent: whole numbers. */
  step?: 'any';
  autoFocus?: boolean;
  /** Id of the `datalist` with suggestions. */
  list?: string;
}

/** The label, the hint and the error of a field belong to it for screen readers too. */
function Field({ label, aside, hint, error, children }: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = Boolean(error ?? hint);
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': hasNote ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
      {hasNote && (
        <div id={noteId} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
          {error ?? hint}
        </div>
      )}
    </div>
  );
}

interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export const TextField = ({ label, aside, hint, error, onChange, ...props }: InputProps) => (
  <Field label={label} aside={aside} hint={hint} error={error}>
    {(ids) => <input {...ids} {...props} className={styles.input} onChange={(event) => onChange(event.target.value)} />}
  </Field>
);

interface TextAreaProps extends FieldProps {
  value: string;
  onChange(value: string): void;
  rows?: number;
  /** For JSON and other code. */
  monospaced?: boolean;
}

export const TextArea = ({ label, hint, error, onChange, monospaced, rows = 8, ...props }: TextAreaProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <textarea
        {...ids}
        {...props}
        rows={rows}
        spellCheck={!monospaced}
        className={monospaced ? styles.code : styles.input}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

export interface Choice<T extends string> {
  value: T;
  label: string;
}

interface SelectProps<T extends string> extends FieldProps {
  value: T;
  onChange(value: T): void;
  choices: readonly Choice<T>[];
}

/** The browser's own list, which works with every keyboard and screen reader. */
export const SelectField = <T extends string>({ label, hint, error, value, onChange, choices }: SelectProps<T>) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <select {...ids} value={value} className={styles.input} onChange={(event) => onChange(event.target.value as T)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface SmallSelectProps {
  label: string;
  value: string;
  onChange(value: string): void;
  choices: readonly Choice<string>[];
}

/** Beside the label of a field; a text if there is nothing to choose. */
export const SmallSelect = ({ label, value, onChange, choices }: SmallSelectProps) =>
  choices.length === 1 ? (
    <span className={styles.hint}>{choices[0]!.label}</span>
  ) : (
    <select
      aria-label={label}
      value={value}
      className={styles.small}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange(checked: boolean): void;
}

export const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <label className={styles.checkbox}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>{label}</span>
  </label>
);
