import { randomUUID } from 'node:crypto';
import { eventually, gate, startTcpProxy, type TcpProxy } from '@spooled/testing';
import { EmbeddedFixture, endsAs, startWorker } from './embedded.fixture.js';

let fixture: EmbeddedFixture;
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
});
afterAll(() => fixture?.close());

describe('BX-18 closing an embedded process', () => {
  it('waits for its handlers, and takes no further jobs', async () => {
    const organization = await fixture.organization();
    const closing = await fixture.start({ organization });
    const [started, release] = [gate(), gate()];
    await startWorker(
      closing,
      {
        slow: async () => {
          started.open();
          await release.opened;
        },
      },
      { concurrency: 1 },
    );
    const { succeeded } = await closing.jobs.createMany({
      queueName: 'slow',
      jobs: [{ payload: 1 }, { payload: 2 }],
    });
    await started.opened;
    const closed = closing.close();
    release.open();
    await closed;
    const observer = await fixture.start({ organization });
    expect(await observer.jobs.get(succeeded[0]!.jobId)).toMatchObject({ status: 'completed' });
    expect(await observer.jobs.get(succeeded[1]!.jobId)).toMatchObject({ status: 'pending', retryCount: 0 });
    await expect(closing.jobs.create({ queueName: 'slow', payload: 3 })).rejects.toMatchObject({ status: 503 });
    await expect(closing.jobs.get(succeeded[1]!.jobId)).rejects.toMatchObject({ status: 503 });
    expect(() => closing.worker({ slow: () => 1 })).toThrow('closed');
  });

  it('needs a wait that is a number', async () => {
    const process = await fixture.start();
    await expect(process.close('20s' as never)).rejects.toThrow('waitMs: must be a number from 0 on');
    expect(await process.jobs.create({ queueName: 'open', payload: 1 })).toMatchObject({ created: true });
  });

  it('BX-02 releases jobs that do not end in time without using up an attempt', async () => {
    const organization = await fixture.organization();
    const closing = await fixture.start({ organization });
    const started = gate();
    await startWorker(closing, {
      stuck: () => {
        started.open();
        return new Promise(() => undefined);
      },
    });
    const { id } = await closing.jobs.create({ queueName: 'stuck', payload: 1 });
    await started.opened;
    await closing.close(0);
    const observer = await fixture.start({ organization });
    expect(await observer.jobs.get(id)).toMatchObject({ status: 'pending', retryCount: 0 });
    await startWorker(observer, { stuck: () => 'ran' });
    await endsAs(observer, id, { status: 'completed', result: 'ran' });
  });
});

describe('BX-18 an embedded process while PostgreSQL is away', () => {
  let proxy: TcpProxy;
  beforeAll(async () => void (proxy = await startTcpProxy(fixture.database.appUrl)));
  afterAll(() => proxy?.close());

  it('refuses calls, reports finished jobs once it is back, and goes on', async () => {
    const { appUrl, systemUrl } = fixture.database;
    const urls = { databaseUrl: proxy.through(appUrl), systemUrl: proxy.through(systemUrl) };
    const process = await fixture.startWithMaintenance(urls);
    const [started, release] = [gate(), gate()];
    await startWorker(process, {
      outage: async ({ payload }) => {
        if (payload !== 'first') return;
        started.open();
        await release.opened;
      },
    });
    const { id } = await process.jobs.create({ queueName: 'outage', payload: 'first' });
    await started.opened;
    proxy.stallAll();
    await expect(process.jobs.create({ queueName: 'outage', payload: 2 })).rejects.toMatchObject({ status: 503 });
    release.open();
    proxy.resume();
    await endsAs(process, id, { status: 'completed', retryCount: 0 });
    proxy.stall();
    proxy.closeStalled();
    const next = await eventually(() => process.jobs.create({ queueName: 'outage', payload: 3 }));
    await endsAs(process, next.id, { status: 'completed' });
    await process.close(0);
  });
});

describe('BX-18 opening an embedded process', () => {
  it('waits for a PostgreSQL that takes longer than an answer may', async () => {
    const { appUrl, systemUrl } = fixture.database;
    const proxy = await startTcpProxy(appUrl);
    try {
      proxy.stallAll();
      const opening = fixture.start({ databaseUrl: proxy.through(appUrl), systemUrl: proxy.through(systemUrl) });
      await eventually(() => expect(proxy.usedWhileStalled()).toBe(1));
      // The first connection stays without an answer until its time-out.
      proxy.forwardNew();
      const { jobs } = await opening;
      expect(await jobs.create({ queueName: 'late', payload: 1 })).toMatchObject({ created: true });
    } finally {
      proxy.close();
    }
  });

  it('creates the organization of a slug if asked to, once', async () => {
    const options = { organization: `shop-${randomUUID()}`, createOrganization: true };
    await expect(fixture.start({ ...options, createOrganization: false })).rejects.toThrow('no organization');
    const [first, second] = await Promise.all([fixture.start(options), fixture.start(options)]);
    expect(first.organizationId).toBe(second.organizationId);
  });

  it('fails for a database that an older release has migrated, naming what is missing', async () => {
    await fixture.sql('ALTER FUNCTION claim_jobs_v1 RENAME TO claim_jobs_v0');
    await expect(fixture.start()).rejects.toThrow(/not migrated to this release .*: it lacks function claim_jobs_v1$/);
    await fixture.sql('ALTER FUNCTION claim_jobs_v0 RENAME TO claim_jobs_v1');
  });

  it('needs no maintenance role with an organization by id and without maintenance', async () => {
    const { appUrl } = fixture.database;
    const options = { databaseUrl: appUrl, systemUrl: undefined, maintenance: false };
    await expect(fixture.start({ ...options, maintenance: true })).rejects.toThrow();
    const limited = await fixture.start(options);
    await startWorker(limited, { plain: () => 'ok' });
    const { id } = await limited.jobs.create({ queueName: 'plain', payload: 1 });
    await endsAs(limited, id, { status: 'completed', result: 'ok' });
  });
});
