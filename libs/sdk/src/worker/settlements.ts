import type { Settlement, SettlementResult } from '@spooled/contracts/grpc';
import { errorOfCode } from '../grpc/grpc-errors.js';
import { ValidationError } from '../http/errors.js';

interface Pending {
  settlement: Settlement;
  resolve(result: SettlementResult): void;
  reject(error: unknown): void;
}

/** As the server bounds a request. */
const maxBatchSize = 100;
/** Far below what the server accepts as one message. */
const maxBatchBytes = 1024 * 1024;

/**
 * Sends the outcomes of jobs. The first is sent at once; those that arrive while a request is in flight share the next request, so none
 * is delayed to fill a batch.
 */
export class Settlements {
  private pending: Pending[] = [];
  private isSending = false;

  /** @param send result i belongs to settlement i */
  constructor(private readonly send: (settlements: Settlement[]) => Promise<SettlementResult[]>) {}

  /** @throws ConflictError or NotFoundError when the lease is lost; another SpooledError when it could not be sent */
  add(settlement: Settlement): Promise<SettlementResult> {
    return new Promise((resolve, reject) => {
      this.pending.push({ settlement, resolve, reject });
      if (!this.isSending) void this.sendPending();
    });
  }

  private async sendPending(): Promise<void> {
    this.isSending = true;
    while (this.pending.length > 0) await this.sendBatch(this.pending.splice(0, fitting(this.pending)));
    this.isSending = false;
  }

  /** Never rejects. */
  private async sendBatch(batch: Pending[]): Promise<void> {
    try {
      const results = await this.send(batch.map(({ settlement }) => settlement));
      batch.forEach(({ resolve, reject }, i) => {
        const { code, message } = results[i]!;
        if (code === '') resolve(results[i]!);
        else reject(errorOfCode(code, message));
      });
    } catch (error) {
      // One of them may be invalid: each must get its own answer.
      if (error instanceof ValidationError && batch.length > 1) for (const one of batch) await this.sendBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** How many of them fit into a request, at least one. */
function fitting(pending: Pending[]): number {
  let bytes = 0;
  const end = pending.findIndex(({ settlement: { complete } }, i) => {
    bytes += complete?.result.length ?? 0;
    return i === maxBatchSize || (i > 0 && bytes > maxBatchBytes);
  });
  return end === -1 ? pending.length : end;
}
