import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';
import type { ClusterTopology } from './cluster-topology.js';

type Report = (event: string, error: Error) => void;

/**
 * ioredis' way to choose the server of a connection: the primary of one slot of a cluster, looked up at each connect.
 * @param retryDelay ms before attempt n+1
 */
export function slotConnector(
  topology: ClusterTopology,
  slot: number,
  tls: boolean,
  retryDelay: (attempt: number) => number,
): NonNullable<RedisOptions['Connector']> {
  return class SlotConnector extends AbstractConnector {
    constructor(options: unknown) {
      super((options as RedisOptions).disconnectTimeout ?? 0);
    }

    /** Tries until it is closed: if it rejected, ioredis would end the connection permanently. */
    async connect(report: Report): Promise<Socket | TLSSocket> {
      this.connecting = true;
      for (let attempt = 1; ; attempt++) {
        try {
          const primary = await topology.primaryOf(slot);
          if (this.connecting) return this.open(primary);
        } catch (error) {
          report('error', error as Error);
          await pause(retryDelay(attempt));
        }
        if (!this.connecting) throw new Error('Connection is closed.');
      }
    }

    private open(primary: { host: string; port: number }): Socket | TLSSocket {
      const stream = tls ? connectTls(primary) : connectPlain(primary);
      stream.once('error', (error) => (this.firstError = error));
      this.stream = stream;
      return stream;
    }
  };
}
