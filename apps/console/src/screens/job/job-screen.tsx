import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JobsLink } from '../../parts/links';
import { shortId } from '../../ui/format';
import { JobStatusBadge } from '../../ui/job-status';
import { JsonSection, JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { Together } from '../../ui/together';
import { JobActions } from './job-actions';
import { JobExplanation } from './job-explanation';
import { JobFacts } from './job-facts';
import { JobHistory } from './job-history';
import { JobLogs } from './job-logs';
import { explanationQuery, jobQuery, logsQuery, timelineQuery } from './queries';
import { jobRoute } from '../../app/screens';

/** One job: why it waits, what happened to it, what it carries. */
export function JobScreen() {
  const { id } = jobRoute.useParams();
  const query = useQuery(jobQuery(id));
  const job = query.data;
  const isRunning = job?.status === 'processing';
  const parts = [
    query,
    useQuery(explanationQuery(id)),
    useQuery(timelineQuery(id)),
    useQuery(logsQuery(id, isRunning)),
  ];
  return (
    <Page
      title={`Job ${shortId(id)}`}
      badge={job && <JobStatusBadge status={job.status} />}
      back={
        job ? (
          <JobsLink search={{ queue: job.queueName }} text={`Jobs of ${job.queueName}`} />
        ) : (
          <Link to="/jobs">All jobs</Link>
        )
      }
      actions={job && <JobActions job={job} />}
    >
      <Together queries={parts}>
        <JobExplanation id={id} />
        <JobHistory id={id} />
        <JobLogs id={id} isRunning={isRunning} />
        <Loaded query={query} lines={6}>
          {(loaded) => (
            <>
              <JobFacts job={loaded} />
              <Section title="Payload" aside={<Link to="/organization">What is hidden</Link>}>
                <JsonTree label="Payload" value={loaded.payload} />
              </Section>
              <JsonSection title="Result" value={loaded.result} />
              <JsonSection title="Tags" value={loaded.tags} />
            </>
          )}
        </Loaded>
      </Together>
    </Page>
  );
}
