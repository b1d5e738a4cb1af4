import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import styles from './chart.module.css';
import common from './common.module.css';
import { type AxisFormat, formatTime } from './format';
import { timeAxisLabels } from './time-axis';
import 'uplot/dist/uPlot.min.css';

export type LineTone = 'accent' | 'ok' | 'danger' | 'warn' | 'neutral';

export interface Line {
  name: string;
  tone: LineTone;
  /** One value for each time; null = unknown, a gap. */
  values: readonly (number | null)[];
  /** Drawn with dashes, so that lines differ without colour. */
  dashed?: boolean;
  /** Of an earlier time, drawn with dots. */
  past?: boolean;
}

/** Something that happened at a moment, drawn as a line across. */
export interface ChartMark {
  /** Milliseconds since the epoch. */
  at: number;
  tone: LineTone;
}

interface ChartProps {
  label: string;
  /** Milliseconds since the epoch. */
  times: readonly number[];
  lines: readonly Line[];
  format: (value: number) => string;
  axis: AxisFormat;
  /** The axis reaches at least this far, so that it has several different marks while the values are small. */
  atLeast: number;
  /** Values are rare, so one without neighbours is drawn as a point, and one that is absent is none. */
  sparse?: boolean;
  /** A moment to mark; the legend has its values instead of the last ones. Milliseconds since the epoch. */
  mark?: number;
  events?: readonly ChartMark[];
  /** Called with what is chosen by dragging, in milliseconds since the epoch. */
  onRange?: (from: number, to: number) => void;
}

const height = 150;

/** Lines over time. The legend has the values at the cursor, or the last ones; screen readers get these as a text. */
export function Chart(props: ChartProps) {
  const { label, times, lines, format, axis, atLeast, sparse = false, mark, events, onRange } = props;
  const [index, setIndex] = useState<number | null>(null);
  const last = mark === undefined ? times.length - 1 : times.findLastIndex((time) => time < mark);
  const at = index ?? last;
  const shownAt = times[at];
  const valueOf = ({ values }: Line): string => {
    const value = values[at];
    return value == null ? (sparse ? 'no jobs' : 'unknown') : format(value);
  };
  const summary = lines.map((line) => `${line.name} ${valueOf(line)}`).join(', ');
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <h3>{label}</h3>
        <span className={styles.time}>{shownAt === undefined ? 'No data yet' : formatTime(new Date(shownAt))}</span>
      </figcaption>
      <div role="img" aria-label={`${label}: ${summary}`}>
        <Canvas {...{ times, lines, axis, atLeast, sparse, mark, events, onRange }} onCursor={setIndex} />
      </div>
      <ul className={styles.legend} aria-hidden="true">
        {lines.map((line) => (
          <li key={line.name}>
            <span className={common[line.tone]} data-dashed={line.dashed} data-past={line.past} />
            {line.name} <strong>{valueOf(line)}</strong>
          </li>
        ))}
      </ul>
    </figure>
  );
}

interface CanvasProps extends Omit<ChartProps, 'label' | 'format'> {
  onCursor(index: number | null): void;
}

function Canvas({ times, lines, axis, atLeast, sparse, mark, events, onRange, onCursor }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const scheme = useColorScheme();
  const data = useMemo(
    () => [times.map((time) => time / 1000), ...lines.map(({ values }) => values)] as uPlot.AlignedData,
    [times, lines],
  );
  const latest = useRef(data);
  latest.current = data;
  const drawn = useRef<Drawn>({ mark, events, onRange });
  drawn.current = { mark, events, onRange };
  const shape = lines.map(({ name, tone, dashed, past }) => `${name}/${tone}/${dashed}/${past}`).join();
  // The canvas is made again when its lines or colours change, and gets new data otherwise.
  useEffect(() => {
    const element = host.current!;
    const options = optionsOf(element, { lines, axis, atLeast, sparse, onCursor }, drawn);
    const made = new uPlot(options, latest.current, element);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = undefined;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `shape` stands for what of `lines` matters here
  }, [shape, axis, atLeast, sparse, onCursor, scheme]);
  // Not redraw() for the marks: before the first drawing it would make the time axis empty.
  useEffect(() => plot.current?.setData(data), [data, mark, events]);
  return <div ref={host} className={styles.canvas} />;
}

/** What the canvas reads when it draws, so that it is not made again when that changes. */
type Drawn = Pick<ChartProps, 'mark' | 'events' | 'onRange'>;

function optionsOf(
  element: HTMLElement,
  { lines, axis, atLeast, sparse, onCursor }: Omit<CanvasProps, 'times' | keyof Drawn>,
  drawn: { readonly current: Drawn },
): uPlot.Options {
  const color = (token: string): string => resolveColor(element, token);
  const common = {
    stroke: color('--muted'),
    font: labelFont,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: true, y: false, setScale: false }, y: false },
    // The last mark of the time axis may be half as wide as this beyond the end of the axis.
    padding: [10, 20, 0, 0],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, atLeast) * 1.05] } },
    axes: [
      { ...common, space: 90, size: 26, values: (_plot, at) => axisTimes(at.map((second) => second * 1000)) },
      {
        ...common,
        size: widthOfLabels,
        space: 34,
        values: (_plot, values) => axis.labels(values),
        ...(axis.steps && { incrs: axis.steps }),
      },
    ],
    series: [
      {},
      ...lines.map(({ name, tone, dashed, past }) => ({
        label: name,
        stroke: color(`--${tone}`),
        width: 1.5,
        ...(past ? { dash: [2, 3] } : dashed && { dash: [5, 4] }),
        points: sparse ? { show: true, size: 4, fill: color(`--${tone}`), filter: lonePoints } : { show: false },
        spanGaps: false,
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
      setSelect: [(plot) => chooseRange(plot, drawn.current)],
      draw: [
        (plot) => {
          const { mark, events = [] } = drawn.current;
          for (const { at, tone } of events) drawMark(plot, at, { color: color(`--${tone}`), dash: [3, 3] });
          if (mark !== undefined) drawMark(plot, mark, { color: color('--text'), dash: [] });
        },
      ],
    },
  };
}

const labelFont = '12px system-ui, sans-serif';
/** Between the labels and the plot, and left of the labels. */
const labelGap = 16;

/** So wide that no label is cut: what is left of it would read as another value. */
function widthOfLabels({ ctx }: uPlot, labels: string[] | null): number {
  ctx.save();
  ctx.font = labelFont;
  const widths = (labels ?? []).map((label) => ctx.measureText(label).width);
  ctx.restore();
  return Math.ceil(Math.max(0, ...widths)) + labelGap;
}

/** The values that no line leads to: a line needs two of them in a row. */
const lonePoints = ({ data }: uPlot, series: number): number[] => {
  const values = [...data[series]!];
  return values.flatMap((value, i) => (value != null && values[i - 1] == null && values[i + 1] == null ? [i] : []));
};

function chooseRange(plot: uPlot, { onRange }: Drawn): void {
  const { left, width } = plot.select;
  if (width <= 0) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onRange?.(plot.posToVal(left, 'x') * 1_000, plot.posToVal(left + width, 'x') * 1_000);
}

interface MarkLook {
  color: string;
  dash: number[];
}

function drawMark({ ctx, bbox, valToPos }: uPlot, at: number, { color, dash }: MarkLook): void {
  const x = Math.round(valToPos(at / 1000, 'x', true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

const axisTimes = timeAxisLabels();

/** A canvas knows no custom properties and no light-dark(). */
function resolveColor(element: HTMLElement, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const dark = window.matchMedia('(prefers-color-scheme: dark)');

function subscribe(listener: () => void): () => void {
  dark.addEventListener('change', listener);
  const theme = new MutationObserver(listener);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    dark.removeEventListener('change', listener);
    theme.disconnect();
  };
}

/** The colours that the page has now; for what is drawn and not styled. */
const useColorScheme = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light'));
