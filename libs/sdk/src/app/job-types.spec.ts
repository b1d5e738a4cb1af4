import { type } from 'arktype';
import { expectTypeOf } from 'expect-type';
import * as v from 'valibot';
import { z } from 'zod';
import type { App } from './app.js';
import { defineJob } from './define-job.js';
import type { Job } from './job.js';

// The compiler checks these types (`npm run check:types`); Jest runs what is defined.

describe('types of jobs', () => {
  const resize = defineJob('resize', {
    payload: z.object({ url: z.string(), width: z.coerce.number().default(100) }),
    result: z.object({ bytes: z.number() }),
  });

  it('go from the schemas to producers, handlers and those who wait', () => {
    expectTypeOf(resize.enqueue).parameter(0).toEqualTypeOf<{ url: string; width?: unknown }>();
    expectTypeOf(resize.enqueueAndWait).returns.resolves.toEqualTypeOf<{ bytes: number }>();
    resize.handle((payload, context) => {
      expectTypeOf(payload).toEqualTypeOf<{ url: string; width: number }>();
      expectTypeOf(context.attempt).toBeNumber();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      return { bytes: 1 };
    });
    // @ts-expect-error another result
    resize.handle(() => ({ bits: 8 }));
    const wrong = () => {
      // @ts-expect-error no payload
      void resize.enqueue();
      // @ts-expect-error another payload
      void resize.enqueue({ link: 'a' });
      // @ts-expect-error no duration
      void resize.enqueue({ url: 'a' }, { delay: 'soon' });
      // @ts-expect-error a job without a handler does not work
      void ({} as App).work([resize]);
    };
    expect(wrong).toBeInstanceOf(Function);
  });

  it('of a result without a schema are those of the handler, as JSON', () => {
    const report = defineJob('report', { payload: z.object({ day: z.string() }) }).handle(async ({ day }) => {
      await Promise.resolve();
      return { day, at: new Date(0), pages: [1], size: undefined as number | undefined };
    });
    expectTypeOf(report.enqueueAndWait).returns.resolves.toEqualTypeOf<{
      day: string;
      at: string;
      pages: number[];
      size: number | undefined;
    }>();
    const nothing = defineJob('nothing').handle(() => undefined);
    expectTypeOf(nothing.enqueueAndWait).returns.resolves.toEqualTypeOf<null>();
  });

  it('come from valibot and arktype too', () => {
    const mail = defineJob('mail', { payload: v.object({ to: v.string() }) });
    const sms = defineJob('sms', { payload: type({ to: 'string', 'retry?': 'number' }) });
    expectTypeOf(mail.enqueue).parameter(0).toEqualTypeOf<{ to: string }>();
    expectTypeOf(sms.enqueue).parameter(0).toEqualTypeOf<{ to: string; retry?: number }>();
  });

  it('may be written by hand where there is no schema', () => {
    const job = defineJob<{ to: string }, { sent: boolean }>('mail');
    expectTypeOf(job).toEqualTypeOf<Job<{ to: string }, { to: string }, { sent: boolean }, { sent: boolean }>>();
    expectTypeOf(defineJob('any').enqueue).parameter(0).toBeUnknown();
  });
});
