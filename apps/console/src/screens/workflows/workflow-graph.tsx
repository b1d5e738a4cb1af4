import { Link } from '@tanstack/react-router';
import { Fragment, useMemo } from 'react';
import { IconButton } from '../../ui/button';
import { classes } from '../../ui/class-names';
import { formatDuration } from '../../ui/format';
import { isEnded, JobStatusBadge } from '../../ui/job-status';
import type { Timing } from './critical-path';
import { boxHeight, boxWidth, type Edge, layOut, type Placed } from './graph-layout';
import type { Step } from './queries';
import { parentsOf, type WorkflowShape } from './workflow-shape';
import styles from './workflow-graph.module.css';

const margin = 12;

interface WorkflowGraphProps {
  workflow: WorkflowShape;
  timing: Timing;
  /** Why no job may be retried; null if the user may. */
  refused: string | null;
  /** Null: the workflow cannot be retried. */
  onRetryFrom: ((step: Step) => void) | null;
}

/** The jobs of a workflow, each right of those that it waits for. Lines of the critical path are thick. */
export function WorkflowGraph({ workflow, timing, refused, onRetryFrom }: WorkflowGraphProps) {
  const { jobs } = workflow;
  const parents = parentsOf(workflow);
  // Statuses change often, the shape does not.
  const shape = JSON.stringify(jobs.map(({ id }) => [id, parents.get(id) ?? []]));
  const layout = useMemo(
    () => layOut((JSON.parse(shape) as [string, string[]][]).map(([id, all]) => ({ id, parents: all }))),
    [shape],
  );
  const places = new Map(layout.nodes.map((node) => [node.id, node]));
  const size = { width: layout.width + 2 * margin, height: layout.height + 2 * margin };
  return (
    <div className={styles.frame} role="group" aria-label="Graph of the workflow" tabIndex={0}>
      <div className={styles.canvas} style={size}>
        <svg className={styles.lines} {...size} aria-hidden="true">
          {layout.edges.map(({ parent, child, via }) => (
            <path
              key={`${parent} ${child}`}
              d={lineThrough(places.get(parent)!, via, places.get(child)!)}
              className={classes(styles.line, isOnPath(timing, parent, child) && styles.critical)}
            />
          ))}
        </svg>
        {jobs.map((step) => (
          <Fragment key={step.id}>
            <Box step={step} place={places.get(step.id)!} timing={timing} />
            {onRetryFrom && isEnded(step.status) && (
              <RetryButton
                step={step}
                place={places.get(step.id)!}
                refused={refused}
                onPress={() => onRetryFrom(step)}
              />
            )}
          </Fragment>
        ))}
      </div>
    </div>
  );
}

function isOnPath({ criticalPath }: Timing, parent: string, child: string): boolean {
  const index = criticalPath.indexOf(child);
  return index > 0 && criticalPath[index - 1] === parent;
}

/** From the right of a box through the gaps kept for it to the left of another. */
function lineThrough(from: Placed, via: Edge['via'], to: Placed): string {
  const start = { x: from.x + boxWidth, y: from.y + boxHeight / 2 };
  const end = { x: to.x, y: to.y + boxHeight / 2 };
  let path = `M${start.x + margin} ${start.y + margin}`;
  let at = start;
  for (const point of [...via, end]) {
    const bend = Math.max(24, (point.x - at.x) / 2);
    path += curve(at.x + bend, at.y, point.x - bend, point.y, point.x, point.y);
    if (point === end) break;
    at = { x: point.x + boxWidth, y: point.y };
    path += `H${at.x + margin}`;
  }
  return path;
}

const curve = (...numbers: number[]): string => `C${numbers.map((number) => number + margin).join(' ')}`;

function Box({ step, place, timing }: { step: Step; place: Placed; timing: Timing }) {
  const { id, key, status } = step;
  const isCritical = timing.criticalPath.includes(id);
  return (
    <Link
      to="/jobs/$id"
      params={{ id }}
      className={classes(styles.box, isCritical && styles.criticalBox)}
      style={{ left: place.x + margin, top: place.y + margin, width: boxWidth, height: boxHeight }}
      title={step.error?.message ?? key}
    >
      <span className={styles.head}>
        <span className={styles.key}>{key}</span>
        {timing.slowest === id && <span className={styles.note}>slowest, {formatDuration(timing.slowestMs)}</span>}
      </span>
      <span>
        <JobStatusBadge status={status} />
      </span>
    </Link>
  );
}

interface RetryButtonProps {
  step: Step;
  place: Placed;
  refused: string | null;
  onPress(): void;
}

/** In the corner of a box; beside its link and not within it, because a link holds no button. */
const RetryButton = ({ step: { key }, place, refused, onPress }: RetryButtonProps) => (
  <span
    className={styles.retry}
    style={{ left: place.x + margin + boxWidth, top: place.y + margin + boxHeight }}
    title={refused ?? `Retry from ${key}`}
  >
    <IconButton
      label={refused === null ? `Retry from ${key}…` : `Retry from ${key}…, not possible: ${refused}`}
      icon="refresh"
      size="s"
      isDisabled={refused !== null}
      onPress={onPress}
    />
  </span>
);
