import { Metadata, status } from '@grpc/grpc-js';
import { isRefusal, RateLimitError, ValidationError } from '../http/errors.js';
import { errorOfCall, errorOfRequest } from './grpc-errors.js';

const failure = (details: string) =>
  Object.assign(new Error(details), { code: status.RESOURCE_EXHAUSTED, details, metadata: new Metadata() });
const exhausted = (details: string) => errorOfRequest(failure(details));

it.each([
  'Received message larger than max (6000000 vs 4194304)',
  'Attempted to send message with a size larger than 4194304',
])('a message above the limit of gRPC is too large, not too frequent: %s', (details) => {
  expect(exhausted(details)).toBeInstanceOf(ValidationError);
});

it('a request above the rate is told from a message above the limit', () => {
  expect(exhausted('Too many requests')).toBeInstanceOf(RateLimitError);
});

it('a stream that one message breaks does not refuse the others on it', () => {
  const error = errorOfCall(failure('Received message larger than max (6000000 vs 4194304)'));
  expect(error).not.toBeInstanceOf(ValidationError);
});

it.each([401, 403])('a proxy that answers %s has refused no request of Spooled', (code) => {
  const ofGrpc = { 401: status.UNAUTHENTICATED, 403: status.PERMISSION_DENIED }[code]!;
  const by = (details: string) => isRefusal(errorOfCall({ ...failure(details), code: ofGrpc, details }));
  expect([by(`Received HTTP status code ${code}`), by('the key lacks the right')]).toEqual([false, true]);
});
