import { Spooled } from '@spooled/sdk';
import { createTenant, SeededRandom, sharedStack } from '@spooled/testing';
import { McpAgent } from './mcp-agent.js';
import { attack, expectUnharmed, makePrey } from './mcp-attack.js';
import { startMcpServer } from './mcp-http-server.js';

/** Of their 600 calls at least 6 release the throttle, 8 cancel the replay, and 46 end the pause of somebody else, or try. */
const sessions = 60;

describe('BX-39 agents that call tools at random', () => {
  it(`lose nothing in ${sessions} sessions`, async () => {
    const stack = await sharedStack();
    const tenant = await createTenant(stack.databaseUrls.superuserUrl);
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey: tenant.key });
    const key = await tenant.keyAs('operator');
    const { url, stop } = await startMcpServer({ SPOOLED_URL: stack.baseUrl }, '--max-changes', '1000');
    try {
      const prey = await makePrey(client);
      const seeds = Array.from({ length: sessions }, (_, seed) => seed).values();
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (const seed of seeds) {
            const agent = await McpAgent.overHttp(url, key);
            await attack(agent, new SeededRandom(seed), prey, 10);
            await agent.client.close();
          }
        }),
      );
      await expectUnharmed(client, prey);
      await client.operations.cancel(prey.replay);
    } finally {
      await stop();
    }
  }, 300_000);
});
