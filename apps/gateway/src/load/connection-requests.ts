import type { Socket } from 'node:net';

/**
 * What ends with a request, by connection. All of a connection ends when it closes: Node emits no event for a pipelined request whose
 * connection closes before its turn.
 */
export class ConnectionRequests {
  private readonly open = new WeakMap<Socket, Set<() => void>>();

  /** @returns ends it earlier */
  add(socket: Socket, end: () => void): () => void {
    const ends = this.endsOf(socket);
    ends.add(end);
    return () => {
      if (ends.delete(end)) end();
    };
  }

  private endsOf(socket: Socket): Set<() => void> {
    const known = this.open.get(socket);
    if (known) return known;
    const all = new Set<() => void>();
    this.open.set(socket, all);
    socket.once('close', () => all.forEach((end) => end()));
    return all;
  }
}
