/** A seed with which a variant is found at once; after a change of a model others are searched. */
export const models = [
  {
    file: 'leases.qnt',
    steps: 30,
    reached: ['completedAfterRecovery', 'deliveredAgain', 'died'],
    broken: [
      { name: 'withoutFence', violates: 'oneCompletion', seed: '0x1388' },
      { name: 'withoutKeptAnswers', violates: 'oneAnswer', seed: '0x1' },
      { name: 'withEarlyAnswers', violates: 'nothingLost', seed: '0x1' },
      { name: 'withoutRenewals', violates: 'leaseLasts', seed: '0x4ce' },
    ],
  },
  {
    file: 'workflows.qnt',
    steps: 40,
    reached: ['ranAfterRetry', 'bothDied'],
    broken: [
      { name: 'withoutLock', violates: 'isNotForgotten', seed: '0x1' },
      { name: 'withEarlyLook', violates: 'isNotForgotten', seed: '0x1' },
      { name: 'withCarelessRetry', violates: 'isTakenBack', seed: '0x1dbe' },
    ],
  },
  {
    file: 'operations.qnt',
    steps: 40,
    reached: ['completedInPart', 'undoneInTime'],
    broken: [
      { name: 'withLateCount', violates: 'countIsTrue', seed: '0x1d9d' },
      { name: 'withBlindBegin', violates: 'undoneIsNotDone', seed: '0x2a175' },
      { name: 'withoutLockOfSteps', violates: 'countIsTrue', seed: '0x28dd3' },
    ],
  },
];
