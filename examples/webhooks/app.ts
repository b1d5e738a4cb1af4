import type { AddressInfo } from 'node:net';
import { connect } from 'spooled-embedded';
import { notify, received } from './jobs.ts';
import { createReceiver } from './receiver.ts';

// Receives events at POST /, and passes them on to PARTNER_URL.

const app = await connect(process.env.SPOOLED_URL!);
await app.work([received, notify]);
const server = createReceiver().listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`port ${(server.address() as AddressInfo).port}`),
);
