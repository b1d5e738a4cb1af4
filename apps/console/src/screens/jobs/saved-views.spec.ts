import { maxViews, readViews, viewKey, withoutView, withView } from './saved-views';

const view = (name: string) => ({ name, search: { queue: name } });

it('keeps views by name, and replaces one of the same name', () => {
  const views = withView(withView([view('b')], view('a')), { name: 'b', search: { status: 'failed' } });
  expect(views).toEqual([view('a'), { name: 'b', search: { status: 'failed' } }]);
  expect(withoutView(views, 'a')).toEqual([{ name: 'b', search: { status: 'failed' } }]);
});

it('keeps a bounded number', () => {
  const full = Array.from({ length: maxViews }, (_, i) => view(`view-${i}`));
  expect(() => withView(full, view('one more'))).toThrow('At most 50 views');
  expect(withView(full, view('view-7'))).toHaveLength(maxViews);
  expect(readViews(JSON.stringify([...full, view('one more')]))).toHaveLength(maxViews);
});

it('leaves out what is no view', () => {
  const kept = [
    { name: 'good', search: { queue: 'emails', follow: 'events', other: 'x', tag: 7 } },
    { name: '', search: {} },
    { name: 'x'.repeat(61), search: {} },
    { name: 'no search' },
    { search: {} },
    null,
    'text',
  ];
  expect(readViews(JSON.stringify(kept))).toEqual([{ name: 'good', search: { queue: 'emails' } }]);
  for (const text of [null, '', '{', '{}', '"x"', 'null']) expect(readViews(text)).toEqual([]);
});

it('knows a view by filters, order and columns, in whichever order they stand', () => {
  expect(viewKey({ status: 'failed', queue: 'emails' })).toBe(
    viewKey({ queue: 'emails', status: 'failed', follow: 'events' }),
  );
  expect(viewKey({ queue: 'emails' })).not.toBe(viewKey({ queue: 'emails', columns: 'status' }));
  expect(viewKey({ follow: 'events' })).toBe('');
});
