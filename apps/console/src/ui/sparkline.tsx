import styles from './sparkline.module.css';

const width = 120;
const height = 26;

interface SparklineProps {
  /** What it shows, for screen readers. */
  label: string;
  /** Null = unknown, a gap. */
  values: readonly (number | null)[];
}

/** The course of a number, without axes. */
export const Sparkline = ({ label, values }: SparklineProps) => (
  <svg
    className={styles.sparkline}
    viewBox={`0 0 ${width} ${height}`}
    width={width}
    height={height}
    role="img"
    aria-label={label}
  >
    <path d={pathOf(values)} />
  </svg>
);

function pathOf(values: readonly (number | null)[]): string {
  const highest = Math.max(1, ...values.map((value) => value ?? 0));
  const step = width / Math.max(1, values.length - 1);
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const point = `${(index * step).toFixed(1)} ${(height - 2 - (value / highest) * (height - 4)).toFixed(1)}`;
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return command + point;
    })
    .join('');
}
