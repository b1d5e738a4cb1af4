import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayOperate } from '../../api/session';
import { useAct } from '../../app/use-act';
import { useSession } from '../../app/use-session';
import type { Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Loaded } from '../../ui/loaded';
import { Message } from '../../ui/message';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { type Problem, ProblemLink } from './problem-link';
import { problemsQuery } from './queries';
import styles from './now.module.css';

const tones: Record<Problem['severity'], Tone> = { critical: 'danger', warning: 'warn', info: 'info' };
const severityNames: Record<Problem['severity'], string> = { critical: 'Critical', warning: 'Warning', info: 'Note' };

/** The likely causes of trouble, the worst first, each with what can be done about it. */
export function Problems() {
  const query = useQuery(problemsQuery);
  return (
    <Section title="Problems" aside={query.data && <Time value={query.data.checkedAt} />}>
      <Loaded query={query}>
        {({ problems, notChecked }) => (
          <>
            {problems.length === 0 && (
              <Notice tone="ok" title="No problem was found">
                Jobs are processed, attempts succeed, schedules and webhooks run.
              </Notice>
            )}
            {problems.map((problem) => (
              <Notice
                key={[problem.code, problem.queue, problem.schedule, problem.webhook].join()}
                tone={tones[problem.severity]}
                title={
                  <>
                    <span className={styles.severity}>{severityNames[problem.severity]}: </span>
                    {problem.title}
                  </>
                }
                action={<ProblemAction problem={problem} />}
              >
                <Message text={problem.detail} />
                {problem.since && !hasTime(problem.detail) && (
                  <>
                    {' '}
                    Since <Time value={problem.since} />.
                  </>
                )}
              </Notice>
            ))}
            {notChecked.length > 0 && (
              <Notice tone="warn" title="Not everything could be checked">
                {notChecked.join('. ')}
              </Notice>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The detail of some problems says itself since when. */
const hasTime = (text: string): boolean => /\d{4}-\d\d-\d\dT/.test(text);

/** The one act that helps, or the screen where to go on. */
function ProblemAction({ problem }: { problem: Problem }): ReactNode {
  const session = useSession();
  const [busy, act] = useAct();
  const { code, queue } = problem;
  if (code === 'queue_paused' && queue !== null && mayOperate(session)) {
    const resume = async () => {
      await api.queues.resume(queue);
      await refresh('queues');
    };
    return (
      <Button size="s" icon="play" isDisabled={busy} onPress={() => act(`${queue} is resumed`, resume)}>
        Resume
      </Button>
    );
  }
  return <ProblemLink problem={problem} />;
}
