import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { seriesQuery } from '../../parts/series';
import { TextField } from '../../ui/field';
import { formatCount, formatDuration, formatRate } from '../../ui/format';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { queueQuery, settingsOf } from './queries';
import { figuresOf, type QueueFigures } from './queue-figures';
import common from '../../ui/common.module.css';
import styles from './queue-what-if.module.css';
import { capacityOf, type Estimate, estimateWith } from './what-if';

const presetWorkers = 4;

interface QueueWhatIfProps {
  explanation: QueueExplanation;
  /** More workers; undefined = the preset. */
  workers: number | undefined;
  onChange(workers: number | undefined): void;
}

/** When the backlog has ended, as the queue goes now and with more workers. */
export function QueueWhatIf({ explanation, workers = presetWorkers, onChange }: QueueWhatIfProps) {
  const settings = useQuery(queueQuery(explanation.queueName));
  const series = useQuery(seriesQuery(explanation.queueName));
  const [text, setText] = useState(String(workers));
  if (!settings.data) return null;
  const figures = figuresOf(explanation, series.data);
  const limits = settingsOf(settings.data);
  const result = (more: number) => (
    <Result estimate={estimateWith(figures, limits, more)} checkedAt={explanation.checkedAt} />
  );
  const change = (next: string) => {
    setText(next);
    const more = Number(next);
    if (next !== '' && Number.isInteger(more)) onChange(more === presetWorkers ? undefined : more);
  };
  return (
    <Section title="With more workers">
      <div className={styles.form}>
        <TextField label="More workers" type="number" value={text} onChange={change} hint="Negative: fewer." />
        <div className={styles.results} aria-live="polite">
          {facts({
            'As it goes now': result(0),
            [nameOf(workers)]: result(workers),
          })}
        </div>
      </div>
      <p className={common.small}>{basisOf(figures)}</p>
    </Section>
  );
}

const nameOf = (more: number): string => {
  const count = formatCount(Math.abs(more));
  return `${count} ${more < 0 ? 'fewer' : 'more'} ${Math.abs(more) === 1 ? 'worker' : 'workers'}`;
};

const limitNames = { rateLimit: 'rate limit', concurrency: 'concurrency limit' } as const;

function Result({ estimate, checkedAt }: { estimate: Estimate; checkedAt: string }): ReactNode {
  const bound = estimate.boundBy && `; the ${limitNames[estimate.boundBy]} holds it back`;
  switch (estimate.kind) {
    case 'empty':
      return 'Nothing waits: more workers would find no jobs';
    case 'paused':
      return 'Nothing starts until the queue is resumed';
    case 'unknown':
      return 'Unknown: nothing was measured yet';
    case 'stopped':
      return 'Nothing ends: no worker is running jobs';
    case 'drains':
      return (
        <>
          Drained <Time value={new Date(new Date(checkedAt).getTime() + estimate.seconds * 1_000).toISOString()} />
          {bound}
        </>
      );
    case 'grows':
      return `${growthOf(estimate)}${bound ?? ''}${neededOf(estimate)}`;
  }
}

type Growth = Estimate & { kind: 'grows' };

const growthOf = ({ perSecond }: Growth): string =>
  perSecond === 0 ? 'Keeps its length' : `Grows by ${formatRate(perSecond * 3_600)}`;

const neededOf = ({ workersNeeded, boundBy }: Growth): string => {
  if (workersNeeded === null) return boundBy ? ', whatever the number of workers' : '; a limit keeps it from draining';
  const atLeast = workersNeeded + 1;
  return `; it takes at least ${formatCount(atLeast)} more ${atLeast === 1 ? 'worker' : 'workers'}`;
};

/** Where the figures come from. */
function basisOf(figures: QueueFigures): string {
  const { perSlot, slots, slotsPerWorker, source } = capacityOf(figures);
  const arrivals =
    figures.arrivals === null ? 'what arrives was not measured' : `${formatRate(figures.arrivals * 3_600)} arrived`;
  const further = 'Jobs that become due later are left out.';
  if (perSlot === null) return 'An estimate needs a job that has completed in the last day.';
  const each = `a further worker counts as ${slotsPerWorker === 1 ? 'one job' : `${decimal(slotsPerWorker)} jobs`} at a time`;
  if (source === 'ended') {
    return `Measured in the last ${figures.minutes} min: ${formatRate(figures.ends! * 3_600)} ended with ${decimal(slots)} in progress on average, ${arrivals}; ${each}. ${further}`;
  }
  return `Nothing ended in the last minutes; jobs ran for ${formatDuration(figures.runMs!)} on average in the last day, ${arrivals}; ${each}. ${further}`;
}

const decimal = (value: number): string => String(Math.round(value * 10) / 10);
