import { type DeliveryRef, productMetrics } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { createLogger, createMetrics } from '@spooled/platform';
import { createTestDatabase, openConnections, Receiver, type TestDatabase } from '@spooled/testing';
import { CallbackClient, type CallbackClientOptions } from '../callback/callback-client.js';
import { Deliverer, type DelivererOptions } from './deliverer.service.js';
import { Tenant } from './tenant.fixture.js';

/** A database for a spec file; a receiver and an organization for each test. */
export class DelivererFixture {
  store!: TestDatabase;
  db!: Database;
  receiver!: Receiver;
  tenant!: Tenant;
  /** Handed over by deliverers, for attempts that are due later. */
  readonly dispatched: string[] = [];
  private readonly clients: CallbackClient[] = [];
  readonly metrics = createMetrics(productMetrics);
  readonly logger = createLogger({ service: 'spec', level: 'silent' });
  readonly dispatcher = {
    dispatch: (deliveries: DeliveryRef[]) => void this.dispatched.push(...deliveries.map(({ id }) => id)),
  };

  /** Without jitter, and with waits of milliseconds. */
  readonly deliverer = (
    options: Partial<DelivererOptions> = {},
    client: Partial<CallbackClientOptions> = {},
  ): Deliverer => {
    this.clients.push(new CallbackClient({ production: false, ...client }));
    const rule = { maxAttempts: 50, firstWaitMs: 1, retrySeconds: 259_200, disableAfterSeconds: 432_000 };
    const defaults = { ...rule, random: () => 0, maxConcurrent: 64, maxBytes: Infinity };
    const settings = { ...defaults, ...options };
    return new Deliverer(this.db, this.clients.at(-1)!, this.dispatcher, this.metrics, this.logger, settings);
  };

  async open(): Promise<void> {
    this.store = await createTestDatabase();
    this.db = openConnections(this.store, { onError: () => undefined });
  }

  async begin(): Promise<void> {
    this.receiver = await Receiver.open();
    this.tenant = await Tenant.create(this.db);
    this.dispatched.length = 0;
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((client) => client.close()));
    await this.receiver.close();
  }

  async close(): Promise<void> {
    await this.db?.close();
    await this.store?.drop();
  }
}

/** Registers the hooks of a spec file. */
export function useDeliverer(): DelivererFixture {
  const fixture = new DelivererFixture();
  beforeAll(() => fixture.open());
  beforeEach(() => fixture.begin());
  afterEach(() => fixture.end());
  afterAll(() => fixture.close());
  return fixture;
}
