import { explainError } from '../../ui/error-text';
import { Notice } from '../../ui/notice';

/** Why a sign-in failed, read out at once. */
export const SignInError = ({ error }: { error: Error }) => (
  <div role="alert">
    <Notice tone="danger" title="Sign-in failed">
      {explainError(error)}
    </Notice>
  </div>
);
