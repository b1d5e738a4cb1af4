/** The hash slots of a Redis Cluster. */
const clusterSlots = 16_384;

/** CRC-16/XMODEM, which Redis Cluster uses for keys. */
function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc;
}

/** The slot of all keys that contain `{tag}`. */
export const slotOf = (tag: string): number => crc16(tag) % clusterSlots;

/**
 * Hash tags of `count` partitions: the slot of each is in a different nth of the slots. Primaries that have equally
 * many consecutive slots then have equally many partitions, if their number divides `count`.
 */
export function partitionTags(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    for (let attempt = 0; ; attempt++) {
      const tag = `spooled-${index}-${attempt}`;
      if (Math.floor((slotOf(tag) * count) / clusterSlots) === index) return tag;
    }
  });
}
