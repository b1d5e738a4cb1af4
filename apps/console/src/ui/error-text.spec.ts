import { ConflictError, NetworkError, ServerError } from '@spooled/sdk/browser';
import { explainError, explainFailedAct } from './error-text';

const unknown = 'It is not known whether this was done: look before you repeat it.';

it('says that an act may have been done when its answer is lost', () => {
  const lost = new NetworkError('POST /api/v1/jobs got no response', null);
  expect(explainFailedAct(lost)).toBe(`The server cannot be reached. ${unknown}`);
  expect(explainError(lost)).toBe('The server cannot be reached.');
  const gaveUp = new ServerError('The server responded with 504', 504, 'UNKNOWN_ERROR');
  expect(explainFailedAct(gaveUp)).toBe(`The server responded with 504. ${unknown}`);
});

it('says no such thing of an act that the server has refused', () => {
  expect(explainFailedAct(new ConflictError('The queue is being deleted', 409, 'CONFLICT'))).toBe(
    'The queue is being deleted',
  );
});
