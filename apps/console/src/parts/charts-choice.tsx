import { ChoiceFilter } from '../ui/filters';
import { ToggleChoice } from '../ui/toggle-choice';
import { type Comparison, comparisons } from './comparisons';
import { type Period, periods } from './periods';
import styles from './series-charts.module.css';

export interface ChosenCharts {
  period: Period;
  compare: Comparison | undefined;
}

interface ChartsChoiceProps extends ChosenCharts {
  onChange(chosen: ChosenCharts): void;
}

/** How far back the charts of a screen look, and what they are compared with. */
export const ChartsChoice = ({ period, compare, onChange }: ChartsChoiceProps) => (
  <div className={styles.choice}>
    <ChoiceFilter
      label="Compare with"
      value={compare}
      choices={comparisons}
      all="Nothing"
      onChange={(chosen) => onChange({ period, compare: chosen })}
    />
    <ToggleChoice
      label="Period"
      value={period}
      choices={periods}
      onChange={(chosen) => onChange({ period: chosen, compare })}
    />
  </div>
);
