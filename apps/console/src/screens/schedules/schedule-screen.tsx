import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueueLink } from '../../parts/links';
import { formatCount, formatDuration, linkText } from '../../ui/format';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { ItemPage } from '../../ui/item-page';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { cronWords } from './cron-words';
import { previewQuery, type Schedule, scheduleQuery } from './queries';
import { scheduleRoute } from '../../app/screens';
import { RunHistory } from './run-history';
import { ScheduleActions } from './schedule-actions';
import { ScheduleState } from './schedule-state';
import common from '../../ui/common.module.css';
import { NextRuns, ZonedTime } from './schedule-times';

/** One schedule: when it runs, how its runs went, and what it creates. */
export const ScheduleScreen = () => (
  <ItemPage
    query={useQuery(scheduleQuery(scheduleRoute.useParams().id))}
    kind="Schedule"
    back={<Link to="/schedules">Schedules</Link>}
    title={({ name }) => linkText(name)}
    badge={(schedule) => <ScheduleState schedule={schedule} />}
    actions={(schedule) => <ScheduleActions schedule={schedule} />}
  >
    {(schedule) => (
      <>
        {schedule.description && <p className={common.muted}>{schedule.description}</p>}
        <ScheduleFacts schedule={schedule} />
        {schedule.isActive && <Next schedule={schedule} />}
        <RunHistory schedule={schedule} />
        <Section title="Payload of its jobs">
          <JsonTree label="Payload" value={schedule.payloadTemplate} />
        </Section>
      </>
    )}
  </ItemPage>
);

const Next = ({ schedule: { cronExpression, timezone } }: { schedule: Schedule }) => (
  <Section title="Next runs">
    <Loaded query={useQuery(previewQuery(cronExpression, timezone))}>
      {({ runs }) => <NextRuns runs={runs} zone={timezone} />}
    </Loaded>
  </Section>
);

const ScheduleFacts = ({ schedule }: { schedule: Schedule }) =>
  facts({
    Runs: (
      <>
        {cronWords(schedule.cronExpression)} <span className={common.mono}>{schedule.cronExpression}</span>
      </>
    ),
    'Time zone': schedule.timezone,
    Queue: <QueueLink name={schedule.queueName} />,
    'Next run': <ZonedTime value={schedule.nextRunAt} zone={schedule.timezone} />,
    'Last run': <Time value={schedule.lastRunAt} stacked />,
    'Runs so far': formatCount(schedule.runCount),
    Priority: schedule.priority,
    Attempts: formatCount(schedule.maxRetries + 1),
    'Timeout of an attempt': formatDuration(schedule.timeoutSeconds * 1_000),
    Changed: <Time value={schedule.updatedAt} stacked />,
  });
