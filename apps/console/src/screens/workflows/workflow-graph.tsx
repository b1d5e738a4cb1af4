import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { classes } from '../../ui/class-names';
import { formatDuration } from '../../ui/format';
import { JobStatusBadge } from '../../ui/job-status';
import type { Timing } from './critical-path';
import { boxHeight, boxWidth, layOut, type Placed } from './graph-layout';
import type { Step } from './queries';
import { parentsOf, type WorkflowShape } from './workflow-shape';
import styles from './workflow-graph.module.css';

const margin = 12;

interface WorkflowGraphProps {
  workflow: WorkflowShape;
  timing: Timing;
}

/** The jobs of a workflow, each right of those that it waits for. Lines of the critical path are thick. */
export function WorkflowGraph({ workflow, timing }: WorkflowGraphProps) {
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
          {jobs.flatMap(({ id }) =>
            (parents.get(id) ?? []).map((parent) => (
              <path
                key={`${parent} ${id}`}
                d={lineBetween(places.get(parent)!, places.get(id)!)}
                className={classes(styles.line, isOnPath(timing, parent, id) && styles.critical)}
              />
            )),
          )}
        </svg>
        {jobs.map((step) => (
          <Box key={step.id} step={step} place={places.get(step.id)!} timing={timing} />
        ))}
      </div>
    </div>
  );
}

function isOnPath({ criticalPath }: Timing, parent: string, child: string): boolean {
  const index = criticalPath.indexOf(child);
  return index > 0 && criticalPath[index - 1] === parent;
}

function lineBetween(from: Placed, to: Placed): string {
  const [x1, y1] = [from.x + margin + boxWidth, from.y + margin + boxHeight / 2];
  const [x2, y2] = [to.x + margin, to.y + margin + boxHeight / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

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
      <span className={styles.key}>{key}</span>
      <span className={styles.state}>
        <JobStatusBadge status={status} />
        {timing.slowest === id && <span className={styles.note}>slowest {formatDuration(timing.slowestMs)}</span>}
      </span>
    </Link>
  );
}
