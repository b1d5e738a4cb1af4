import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { commandKinds, type Command, type Outcome } from '@spooled/contracts';
import { conflict } from '@spooled/domain';
import { ManualClock, startRedis, type TestRedis } from '@spooled/testing';
import { firstValueFrom } from 'rxjs';
import { TransportFixture, purge, purged } from './command-stream.fixture.js';
import { CommandStreamServer } from './command-stream.server.js';

@Controller()
class EveryCommand {
  @MessagePattern(commandKinds)
  handle(@Payload() command: Command): Promise<Outcome> {
    const refused = { ok: false, error: conflict('not now').toShape() } as const;
    return Promise.resolve(command.organizationId === 'refused' ? refused : purged(3));
  }
}

@Controller()
class PurgeOnly {
  @MessagePattern('deadletter.purge')
  handle(): Outcome {
    return purged(3);
  }
}

@Module({ controllers: [EveryCommand] })
class Engine {}
@Module({ controllers: [PurgeOnly] })
class EngineWithoutHandlers {}
@Module({ controllers: [EveryCommand, PurgeOnly] })
class EngineWithDuplicateHandlers {}

let redis: TestRedis;
const fixture = new TransportFixture();
beforeAll(async () => (redis = await startRedis()));
afterAll(async () => {
  await fixture.closeAll();
  await redis.close();
});

const create = async (module: new () => object) => {
  const strategy = new CommandStreamServer(fixture.shards(redis.url), { log: fixture.log });
  return NestFactory.createMicroservice(module, { strategy, logger: false });
};

it('serves handlers bound with @MessagePattern, for both kinds of send', async () => {
  const app = await create(Engine);
  await app.listen();
  const client = await fixture.readyClient(redis.url, { clock: new ManualClock() });
  await expect(client.send(purge())).resolves.toEqual({ purged: 3 });
  await expect(firstValueFrom(client.send('deadletter.purge', purge()))).resolves.toEqual({ purged: 3 });
  const refused = client.send(purge({ organizationId: 'refused' }));
  await expect(refused).rejects.toMatchObject({ code: 'CONFLICT', status: 409, message: 'not now' });
  await app.close();
});

it('refuses to start when a command has no handler', async () => {
  const app = await create(EngineWithoutHandlers);
  await expect(app.listen()).rejects.toThrow('no handler for job.enqueue');
  await app.close();
});

it('refuses to start when a command has two handlers', async () => {
  const app = await create(EngineWithDuplicateHandlers);
  await expect(app.listen()).rejects.toThrow('two handlers for deadletter.purge');
  await app.close();
});
