import { Global, Module } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import type { Clock } from '@spooled/domain';
import { METRICS, type Metrics, SETTINGS, type SettingsOf } from '@spooled/platform';
import { provider } from '../provider.js';
import type { unsentSettings } from '../settings/limit.settings.js';
import { CLOCK } from '../tokens.js';
import { UnsentBytes } from './unsent-bytes.js';
import { unsentKinds } from './unsent-reader.js';

/** A service that reserves nothing needs no time for clients that stall. */
type Settings = SettingsOf<typeof unsentSettings> & { UNREAD_TIMEOUT_SECS?: number };

function openUnsentBytes(
  { MAX_UNSENT_BYTES, UNREAD_TIMEOUT_SECS = Infinity }: Settings,
  clock: Clock,
  metrics: Metrics<ProductMetrics>,
): UnsentBytes {
  const unsent = new UnsentBytes({ maxBytes: MAX_UNSENT_BYTES, stalledMs: UNREAD_TIMEOUT_SECS * 1000 }, clock);
  metrics.onScrape('unsentBytes', (gauge) => {
    for (const kind of unsentKinds) gauge.set({ kind }, unsent.bytesOf(kind));
  });
  return unsent;
}

/** The bytes that wait for clients of this process. */
@Global()
@Module({ providers: [provider(UnsentBytes, openUnsentBytes, [SETTINGS, CLOCK, METRICS])], exports: [UnsentBytes] })
export class UnsentModule {}
