import type { LiveStream } from '@spooled/contracts';
import type { Principal } from '@spooled/service';

/** Whom a stream serves. The credential is kept because it is checked again and again while the stream is open. */
export interface Caller extends Principal {
  credential: string;
  /** The stream that was asked for; the role of the key must permit it as long as it is open. */
  stream: LiveStream;
}
