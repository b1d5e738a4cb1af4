import styles from './count-bars.module.css';

interface CountBarsProps {
  /** What the values are, for screen readers, such as `Dead letters of the last 24 hours`. */
  label: string;
  /** The oldest first. */
  values: readonly number[];
  /** In pixels. @default 96 by 22 */
  width?: number;
  height?: number;
}

/** Counts over time as bars, the newest at the right. Its highest bar is the highest value, which its text says. */
export function CountBars({ label, values, width = 96, height = 22 }: CountBarsProps) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <svg
      role="img"
      aria-label={`${label}: ${total} in total, at most ${Math.max(0, ...values)} at once`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={styles.bars}
    >
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className={styles.axis} />
      {values.map((value, index) => {
        // A value that is not zero can always be seen.
        const size = value === 0 ? 0 : Math.max(2, (value / most) * (height - 1));
        return (
          <rect key={index} x={index * step} y={height - size} width={Math.max(1, step - 1)} height={size}>
            <title>{value}</title>
          </rect>
        );
      })}
    </svg>
  );
}
