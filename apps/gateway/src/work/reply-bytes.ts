import type { Job } from '@spooled/contracts/grpc';
import type { ReservedBytes } from '@spooled/service';
import { documentBytes } from '../grpc/documents.js';
import type { StreamSession } from '../grpc/open-streams.js';

/** Everything in a job but its payload. */
const jobBytes = 1024;

/**
 * The bytes that a stream's dequeues may answer with. Until its first job each counts as the largest payload; while its jobs are small,
 * as half of that, so that twice as many are in flight and a share is exceeded at most twice.
 */
export class ReplyBytes {
  private expected: number;

  constructor(private readonly session: Pick<StreamSession, 'unsent' | 'ending' | 'maxPayloadBytes'>) {
    this.expected = session.maxPayloadBytes;
  }

  /** Null when the stream ends before. */
  reserve(): Promise<ReservedBytes | null> {
    const { unsent, ending, maxPayloadBytes } = this.session;
    return unsent.reserve(Math.max(this.expected, Math.ceil(maxPayloadBytes / 2)) + jobBytes, ending);
  }

  of({ payload }: Job): number {
    const bytes = documentBytes(payload) + jobBytes;
    this.expected = Math.min(this.session.maxPayloadBytes, Math.max(bytes, Math.floor(this.expected / 2)));
    return bytes;
  }
}
