import { setTimeout as sleep } from 'node:timers/promises';

export interface GatewayAddress {
  url: string;
  /** Answers 200 while it takes requests. */
  readyUrl: string;
}

const probeEveryMs = 200;

/** Chooses a gateway for each request as a load balancer does: in turn among those that are ready. */
export class Gateways {
  private ready: GatewayAddress[];
  private turn = 0;
  private closed = false;

  constructor(private readonly all: readonly GatewayAddress[]) {
    this.ready = [...all];
    for (const gateway of all) void this.probe(gateway);
  }

  /** The address of the next one; of any if none is ready. */
  next(): string {
    const among = this.ready.length > 0 ? this.ready : this.all;
    return among[this.turn++ % among.length]!.url;
  }

  close(): void {
    this.closed = true;
  }

  private async probe(gateway: GatewayAddress): Promise<void> {
    while (!this.closed) {
      const isReady = await isAnswering(gateway.readyUrl);
      if (isReady !== this.ready.includes(gateway))
        this.ready = this.all.filter((one) => (one === gateway ? isReady : this.ready.includes(one)));
      await sleep(probeEveryMs, undefined, { ref: false });
    }
  }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
