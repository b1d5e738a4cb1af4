import type { Principal } from '@spooled/service';

/** Whom a stream serves. The credential is kept because it is checked again and again while the stream is open. */
export interface Caller extends Principal {
  credential: string;
}
