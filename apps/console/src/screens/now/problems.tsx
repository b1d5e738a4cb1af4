import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { useAct } from '../../app/use-act';
import { mayOperate, useSession } from '../../app/use-session';
import {
  actionLabels,
  conditionName,
  groupOf,
  type Place,
  placeName,
  type Problem,
  problemTitle,
} from '../../parts/conditions';
import type { Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { formatCount, formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { NotChecked, Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { Message, Time } from '../../ui/time';
import { AllLink, PlaceLink } from './problem-link';
import { problemsQuery } from './queries';
import styles from './now.module.css';

type Problems = ResponseBody<'GET /api/v1/problems'>;

const tones: Record<Problem['severity'], Tone> = { critical: 'danger', warning: 'warn', info: 'info' };
const severityNames: Record<Problem['severity'], string> = { critical: 'Critical', warning: 'Warning', info: 'Note' };

/** Places of a problem that are shown; all of them are on the screen that its link opens. */
const mostPlaces = 5;

/** One problem for each cause, the most harmful first, each with what can be done about it. */
export function Problems() {
  const query = useQuery(problemsQuery);
  return (
    <Section title="Problems" aside={query.data && <Time value={query.data.checkedAt} />}>
      <Loaded query={query}>{(found) => <ProblemList found={found} />}</Loaded>
    </Section>
  );
}

const ProblemList = ({ found }: { found: Problems }) => (
  <>
    {found.total === 0 && isEverythingExamined(found) && <NoProblem isSure={found.notChecked.length === 0} />}
    {found.problems.map((problem) => (
      <ProblemNotice key={keyOf(problem)} problem={problem} />
    ))}
    {found.muted > 0 && (
      <p className={styles.advice}>
        <Link to="/failures">{`${formatCount(found.muted)} muted ${found.muted === 1 ? 'cause' : 'causes'} of failures`}</Link>{' '}
        {found.muted === 1 ? 'is' : 'are'} left out.
      </p>
    )}
    <Unexamined found={found} />
    <NotChecked reasons={found.notChecked} />
  </>
);

const NoProblem = ({ isSure }: { isSure: boolean }) =>
  isSure ? (
    <Notice tone="ok" title="No problem was found">
      Jobs are processed, attempts succeed, schedules and webhooks run.
    </Notice>
  ) : (
    <Notice title="No problem was found in what could be checked" />
  );

/** As the server groups places, so that a notice stays in place when its numbers change. */
function keyOf({ code, places }: Problem): string {
  const { details, until } = places[0]!.condition;
  const parts = Object.entries(details).filter(([name]) =>
    ['reason', 'error', 'measure', 'resource', 'is_near_end'].includes(name),
  );
  return JSON.stringify([code, until !== null, parts]);
}

/** A cause is the same in several queues and job types, and its sentence names neither. */
const isCause = ({ code }: Problem): boolean => code === 'cause_new' || code === 'cause_growing';

function ProblemNotice({ problem }: { problem: Problem }) {
  const { severity, total, places, since, consequences } = problem;
  return (
    <Notice
      tone={tones[severity]}
      title={
        <>
          <span className={styles.severity}>{severityNames[severity]}: </span>
          {problemTitle(problem)}
          <Harmed problem={problem} />
        </>
      }
      action={<ProblemAction problem={problem} />}
    >
      {total === 1 && <PlaceText place={places[0]!} />}
      {(total > 1 || isCause(problem)) && <PlaceList problem={problem} />}
      {since && total > 1 && (
        <>
          {' '}
          Since <Time value={since} />.
        </>
      )}
      {consequences.length > 0 && (
        <div className={styles.advice}>
          It explains:{' '}
          {consequences.map(({ code, total: count }) => `${conditionName(code)} (${formatCount(count)})`).join(', ')}
        </div>
      )}
    </Notice>
  );
}

/** How many jobs the problem concerns. */
const Harmed = ({ problem: { jobs, atLeast } }: { problem: Problem }) =>
  jobs === null || jobs === 0 ? null : <span className={styles.advice}> · {formatJobs(jobs, atLeast)}</span>;

function PlaceText({ place: { condition } }: { place: Place }) {
  return (
    <>
      <Message text={condition.message} />
      {condition.since && !hasTime(condition.message) && (
        <>
          {' '}
          Since <Time value={condition.since} />.
        </>
      )}
    </>
  );
}

/** The worst places, and how many more there are. */
function PlaceList({ problem }: { problem: Problem }) {
  const shown = problem.places.slice(0, mostPlaces);
  const rest = problem.total - shown.length;
  return (
    <ul className={styles.places}>
      {shown.map((place) => (
        <li key={[place.queue, place.schedule, place.webhook, groupOf(place.condition)].join()}>
          <PlaceLink place={place}>{placeName(place)}</PlaceLink>
          {place.jobs !== null && place.jobs > 0 && `: ${formatJobs(place.jobs, place.atLeast)}`}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <AllLink problem={problem}>{`and ${formatCount(rest)} more`}</AllLink>
        </li>
      )}
    </ul>
  );
}

const isEverythingExamined = ({ unexamined }: Problems): boolean =>
  Object.values(unexamined).every((count) => count === 0);

const unexaminedLinks = [
  ['queues', '/queues'],
  ['schedules', '/schedules'],
  ['webhooks', '/webhooks'],
] as const;

/** What was left out is stated, never cut silently. */
function Unexamined({ found: { unexamined, problems, total } }: { found: Problems }) {
  const rest = total - problems.length;
  const kinds = unexaminedLinks.filter(([kind]) => unexamined[kind] > 0);
  if (kinds.length === 0 && rest === 0) return null;
  return (
    <Notice tone="warn" title="There are more problems than are shown">
      <ul className={styles.places}>
        {rest > 0 && <li>{`${formatCount(rest)} with less harm are left out.`}</li>}
        {kinds.map(([kind, to]) => (
          <li key={kind}>
            <Link to={to}>{`${formatCount(unexamined[kind])} more ${kind}`}</Link> may have one and were not examined.
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Some sentences say themselves since when. */
const hasTime = (text: string): boolean => /\d{4}-\d\d-\d\dT/.test(text);

/** The one act that helps, or the screen where to continue. */
function ProblemAction({ problem }: { problem: Problem }): ReactNode {
  const session = useSession();
  const [busy, act] = useAct();
  const { code, total, places } = problem;
  const [place] = places;
  const queue = place!.queue;
  if (code === 'queue_paused' && total === 1 && queue !== null && mayOperate(session)) {
    const resume = () => act(`${queue} is resumed`, () => api.queues.resume(queue), 'queues');
    return (
      <Button size="s" icon="play" isDisabled={busy} onPress={resume}>
        Resume
      </Button>
    );
  }
  if (total === 1) return <PlaceLink place={place!}>{actionLabels[code]}</PlaceLink>;
  return <AllLink problem={problem}>{actionLabels[code]}</AllLink>;
}
