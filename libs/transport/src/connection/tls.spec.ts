import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { eventually, startRedisCluster, startSentinel, testCertificate } from '@spooled/testing';
import { TransportFixture, purge, purged } from '../commands/command-stream.fixture.js';

/** As NODE_EXTRA_CA_CERTS adds an authority. */
const authorities = getCACertificates('default');
afterEach(() => setDefaultCACertificates(authorities));

it.each([
  // ioredis keeps the reason of a sentinel to itself.
  ['Sentinel', startSentinel, 'All sentinels are unreachable'],
  ['Cluster', startRedisCluster, 'self-signed certificate'],
])(
  'SP-94 %s with TLS: connections are encrypted, and an unknown certificate is refused',
  async (_, startServers, reason) => {
    setDefaultCACertificates([...authorities, testCertificate]);
    const redis = await startServers({ tls: true });
    const fixture = new TransportFixture();
    try {
      await fixture.engine(redis.url, () => purged(3));
      const client = fixture.client(redis.url);
      await eventually(() => expect(client.state('an-organization')).toBe('ready'));
      await expect(client.send(purge({ organizationId: 'an-organization' }))).resolves.toEqual({ purged: 3 });

      setDefaultCACertificates(authorities);
      const before = fixture.log.lines.length;
      const distrusting = fixture.shards(redis.url);
      await eventually(() => expect(JSON.stringify(fixture.log.lines.slice(before))).toContain(reason));
      expect(distrusting.connected).toBe(false);
    } finally {
      await fixture.closeAll();
      await redis.close();
    }
  },
);
