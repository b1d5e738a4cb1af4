import { contrast, type Feature } from './contrast';

const jobs = (count: number, ...features: [string, string][]): Feature[][] =>
  Array.from({ length: count }, () => features.map(([kind, value]) => ({ kind, value })));

it('names the value that failed jobs share and completed ones lack', () => {
  const failed = [...jobs(9, ['Tag', 'eu'], ['Worker', 'a']), ...jobs(1, ['Worker', 'a'])];
  const { differences, compared } = contrast(failed, jobs(10, ['Tag', 'us'], ['Worker', 'a']));
  expect(differences).toEqual([{ kind: 'Tag', value: 'eu', failed: 9, completed: 0 }]);
  expect(compared).toBe(3);
});

it('names nothing that chance explains', () => {
  const failed = [...jobs(6, ['Tag', 'eu']), ...jobs(4, ['Tag', 'us'])];
  const completed = [...jobs(4, ['Tag', 'eu']), ...jobs(6, ['Tag', 'us'])];
  expect(contrast(failed, completed).differences).toEqual([]);
});

it('asks for a larger difference when more values are compared', () => {
  const failed = [...jobs(5, ['Tag', 'eu']), ...jobs(5)];
  const one = contrast(failed, jobs(10));
  expect(one.differences).toHaveLength(1);
  const others = Array.from({ length: 9 }, (_, index): [string, string] => ['Queue', String(index)]);
  const many = contrast(
    failed.map((features) => [...features, ...jobs(1, ...others)[0]!]),
    jobs(10, ...others),
  );
  expect(many).toMatchObject({ differences: [], compared: 10 });
});

it('says nothing about fewer than five jobs', () => {
  expect(contrast(jobs(4, ['Tag', 'eu']), jobs(20, ['Tag', 'us'])).differences).toEqual([]);
});
