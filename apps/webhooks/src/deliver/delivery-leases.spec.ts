import { eventually, type Receiver } from '@spooled/testing';
import { useDeliverer } from './deliverer.fixture.js';
import type { Tenant } from './tenant.fixture.js';

const fixture = useDeliverer();
const { deliverer } = fixture;
let receiver: Receiver;
let tenant: Tenant;
beforeEach(() => {
  ({ receiver, tenant } = fixture);
});

describe('one delivery, several processes', () => {
  it('SP-53 is not sent by a second process while the first one holds its lease', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    let answer: () => void = () => undefined;
    receiver.respond = (_call, response) => void (answer = () => response.end());
    const first = deliverer().deliver(delivery);
    await receiver.received(1);
    expect(await deliverer().deliver(delivery)).toBeGreaterThan(1000);
    answer();
    expect(await first).toBeNull();
    expect(receiver.calls).toHaveLength(1);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success', attempts: 1 });
  });

  it('SP-53 is sent again when its process was lost, whose late result is ignored', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    let comeBack: () => void = () => undefined;
    receiver.respond = (_call, response) => void (comeBack = () => response.end());
    const lost = deliverer({ leaseSeconds: 0.2 }).deliver(delivery);
    await receiver.received(1);

    receiver.respond = (_call, response) => response.writeHead(500).end();
    const survivor = deliverer({ firstWaitMs: 30_000 });
    await eventually(async () => {
      await survivor.deliver(delivery);
      expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 1, status_code: 500 });
    });
    comeBack();
    await lost;
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 1, status_code: 500 });
  });

  it('PB-24 is returned, without counting as an attempt, when its process stops', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    receiver.respond = () => undefined;
    const stopping = deliverer();
    const interrupted = stopping.deliver(delivery);
    await receiver.received(1);
    await stopping.finish(0);
    expect(await interrupted).toBe(0);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 0 });

    receiver.respond = (_call, response) => response.end();
    expect(await deliverer().deliver(delivery)).toBeNull();
  });
});
