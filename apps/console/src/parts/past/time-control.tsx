import { classes } from '../../ui/class-names';
import { Button } from '../../ui/button';
import { useNow } from '../../ui/clock';
import { formatRelative, formatTime } from '../../ui/format';
import { momentText, reachMs, stepMs } from './moment';
import styles from './time-control.module.css';

interface TimeControlProps {
  /** The moment that the screen shows, milliseconds since the epoch; undefined = now. */
  at: number | undefined;
  /** The new member `at` of the URL's query; undefined = now. */
  onChange(at: string | undefined): void;
}

const steps = [
  { label: '−1 min', ms: -60_000 },
  { label: '−10 s', ms: -stepMs },
  { label: '+10 s', ms: stepMs },
  { label: '+1 min', ms: 60_000 },
];

const fullStep = (ms: number): number => Math.floor(ms / stepMs) * stepMs;

/** Chooses whether a screen shows what is or what was: a moment of the past hour. */
export function TimeControl({ at, onChange }: TimeControlProps) {
  const now = fullStep(useNow());
  const earliest = now - reachMs + stepMs;
  const shown = at === undefined ? now : Math.min(at, now);
  const text = at === undefined ? 'Showing now' : `As of ${formatTime(new Date(at))}, ${formatRelative(at, now)}`;
  const go = (ms: number) => onChange(ms >= now ? undefined : momentText(Math.max(ms, earliest)));
  return (
    <div className={classes(styles.control, at !== undefined && styles.past)} role="group" aria-label="Time shown">
      <span className={styles.moment} role="status">
        {text}
      </span>
      <input
        type="range"
        className={styles.slider}
        aria-label="Moment of the past hour"
        aria-valuetext={text}
        min={earliest - now}
        max={0}
        step={stepMs}
        value={Math.max(shown, earliest) - now}
        onChange={(event) => go(now + Number(event.target.value))}
      />
      <span className={styles.steps}>
        {steps.map(({ label, ms }) => (
          <Button
            key={label}
            size="s"
            isDisabled={ms > 0 ? shown >= now : shown <= earliest}
            onPress={() => go(fullStep(shown) + ms)}
          >
            {label}
          </Button>
        ))}
        <Button
          size="s"
          variant={at === undefined ? 'plain' : 'primary'}
          isDisabled={at === undefined}
          onPress={() => onChange(undefined)}
        >
          Back to now
        </Button>
      </span>
    </div>
  );
}
