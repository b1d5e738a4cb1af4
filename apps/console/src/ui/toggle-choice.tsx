import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { Choice } from './field';
import styles from './toggle-choice.module.css';

interface ToggleChoiceProps<T extends string> {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange(value: T): void;
}

/** One of few choices, all of which show. */
export const ToggleChoice = <T extends string>({ label, value, choices, onChange }: ToggleChoiceProps<T>) => (
  <ToggleButtonGroup
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={([chosen]) => onChange(chosen as T)}
    className={styles.group}
  >
    {choices.map((choice) => (
      <ToggleButton key={choice.value} id={choice.value} className={styles.choice}>
        {choice.label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
