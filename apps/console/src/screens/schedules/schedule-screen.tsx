import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDuration } from '../../ui/format';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { LoadedPage } from '../../ui/loaded-page';
import { Fact, Facts, Page, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { cronWords } from './cron-words';
import { NextRuns } from './next-runs';
import { previewQuery, type Schedule, scheduleQuery } from './queries';
import { scheduleRoute } from './route';
import { RunHistory } from './run-history';
import { ScheduleActions } from './schedule-actions';
import { ScheduleState } from './schedule-state';
import styles from './schedules.module.css';
import { ZonedTime } from './zoned-time';

const back = <Link to="/schedules">Schedules</Link>;

/** One schedule: when it runs, how its runs went, and what it creates. */
export function ScheduleScreen() {
  const { id } = scheduleRoute.useParams();
  const query = useQuery(scheduleQuery(id));
  return (
    <LoadedPage query={query} title="Schedule" back={back}>
      {(schedule) => <SchedulePage schedule={schedule} />}
    </LoadedPage>
  );
}

const SchedulePage = ({ schedule }: { schedule: Schedule }) => (
  <Page
    title={schedule.name}
    back={back}
    badge={<ScheduleState schedule={schedule} />}
    actions={<ScheduleActions schedule={schedule} />}
  >
    {schedule.description && <p className={styles.muted}>{schedule.description}</p>}
    <ScheduleFacts schedule={schedule} />
    {schedule.isActive && <Next schedule={schedule} />}
    <RunHistory schedule={schedule} />
    <Section title="Payload of its jobs">
      <JsonTree label="Payload" value={schedule.payloadTemplate} />
    </Section>
  </Page>
);

function Next({ schedule: { cronExpression, timezone } }: { schedule: Schedule }) {
  const query = useQuery(previewQuery(cronExpression, timezone));
  return (
    <Section title="Next runs">
      <Loaded query={query}>{({ runs }) => <NextRuns runs={runs} zone={timezone} />}</Loaded>
    </Section>
  );
}

const ScheduleFacts = ({ schedule }: { schedule: Schedule }) => (
  <Facts>
    <Fact name="Runs">
      {cronWords(schedule.cronExpression)} <span className={styles.mono}>{schedule.cronExpression}</span>
    </Fact>
    <Fact name="Time zone">{schedule.timezone}</Fact>
    <Fact name="Queue">
      <Link to="/queues/$name" params={{ name: schedule.queueName }}>
        {schedule.queueName}
      </Link>
    </Fact>
    <Fact name="Next run">
      <ZonedTime value={schedule.nextRunAt} zone={schedule.timezone} />
    </Fact>
    <Fact name="Last run">
      <Time value={schedule.lastRunAt} stacked />
    </Fact>
    <Fact name="Runs so far">{formatCount(schedule.runCount)}</Fact>
    <Fact name="Priority">{schedule.priority}</Fact>
    <Fact name="Attempts">{formatCount(schedule.maxRetries + 1)}</Fact>
    <Fact name="Timeout of an attempt">{formatDuration(schedule.timeoutSeconds * 1_000)}</Fact>
    <Fact name="Changed">
      <Time value={schedule.updatedAt} stacked />
    </Fact>
  </Facts>
);
