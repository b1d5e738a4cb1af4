import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const headerBytes = 12;
const types = { 1: 'A', 28: 'AAAA' } as const;
const responseCodes = { found: 0, failure: 2, unknown: 3 };

/** What a name server knows: addresses by type and name, `failure` for an answer that it cannot give. */
type Records = Record<string, string[] | 'failure'>;

/** A name server on UDP. A name that has the other type only gets an empty answer, every other name does not exist. */
export class NameServer {
  private constructor(
    private readonly socket: Socket,
    private readonly records: Records,
  ) {
    socket.on('message', (query, { port, address }) => socket.send(this.answer(query), port, address));
  }

  static async open(records: Records): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, records);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end) as keyof typeof types;
    const found = this.records[`${types[type]} ${name}`];
    const isKnown = Object.values(types).some((one) => `${one} ${name}` in this.records);
    const code = found === 'failure' ? 'failure' : isKnown ? 'found' : 'unknown';
    const answers = (Array.isArray(found) ? found : []).map(answerOf);
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | responseCodes[code], 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    return Buffer.concat([header, query.subarray(headerBytes, end + 4), ...answers]);
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** For the name of the question. */
function answerOf(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(headerBytes);
  head.writeUInt16BE(0xc000 | headerBytes, 0);
  head.writeUInt16BE(isIPv4(address) ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
