import { readJson } from '@spooled/service';
import { fromCustom, fromGithub, fromStripe, type IncomingJob } from './incoming-job.js';

const document = '{"id":9007199254740993,"list":[-9223372036854775808,1.50,1E5]}';
const read = (text: string) => readJson(Buffer.from(text));

/** Each source with a body around a document. */
const sources: [string, (document: string) => Promise<IncomingJob>][] = [
  ['custom', async (payload) => fromCustom(await read(`{ "queue_name":"q", "payload" : ${payload} }`))],
  ['GitHub', async (payload) => fromGithub(await read(payload), { 'x-github-event': 'push' })],
  ['Stripe', async (payload) => fromStripe(await read(`{"id":"evt","type":"a.b","data":{"object":${payload}}}`))],
];

describe.each(sources)('a webhook of %s', (_source, jobOf) => {
  it('BX-13 becomes a job whose numbers have the digits that were sent', async () => {
    expect((await jobOf(document)).payload).toBe(document);
  });

  it('BX-13 is refused if it holds a number beyond a double', async () => {
    await expect(jobOf('{"id":1e400}')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
  });
});
