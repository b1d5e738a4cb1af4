import { v7 } from 'uuid';

/** A new UUIDv7: ids made later sort later, which keeps indexes dense and time partitions cheap. */
export const newId = (): string => v7();
