import job from '../../proto/spooled/v1/job.proto';
import queue from '../../proto/spooled/v1/queue.proto';
import worker from '../../proto/spooled/v1/worker.proto';

/** The gRPC contract as text, by the names under which the files import each other; each comes after what it imports. */
export const protoFiles: Readonly<Record<string, string>> = {
  'spooled/v1/job.proto': job,
  'spooled/v1/queue.proto': queue,
  'spooled/v1/worker.proto': worker,
};
