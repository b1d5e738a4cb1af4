import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import styles from './period-choice.module.css';
import { type Period, periods } from './periods';

/** How far back the charts of a screen look. */
export const PeriodChoice = ({ value, onChange }: { value: Period; onChange(period: Period): void }) => (
  <ToggleButtonGroup
    aria-label="Period"
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={([period]) => onChange(period as Period)}
    className={styles.group}
  >
    {periods.map((period) => (
      <ToggleButton key={period.value} id={period.value} className={styles.choice}>
        {period.label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
