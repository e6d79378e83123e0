import { ApiError } from '@assay/contract/client.ts'
import { expect, test } from 'vitest'
import { formatTrialError, nextStepAfter } from './next-step.ts'

test.each([
  ['Not scored: provider_error: The model responded with 401.', 'Test the model'],
  ['Not scored: budget: the judges have used up their USD 0.25.', 'Choose a cheaper model'],
  ['Not scored: the trace is larger than 64 MiB.', undefined],
  ['In Oslo: budget: none.', undefined],
])('after "%s" the next step is %s', (reasoning, step) => {
  expect(nextStepAfter(reasoning)?.slice(0, step?.length)).toBe(step)
})

test.each([
  [new ApiError(404, 'NOT_FOUND', 'Trace not found.'), 'Choose another trace of this project.'],
  [
    new ApiError(404, 'NOT_FOUND', 'Trace not found.', { field: 'model_config_id' }),
    'Choose another model.',
  ],
  [new ApiError(503, 'INTERNAL_ERROR', 'Try again shortly.'), 'Try again shortly.'],
])('the message of a refusal ends with what to do: %s', (error, end) => {
  expect(formatTrialError(error).startsWith(error.message)).toBe(true)
  expect(formatTrialError(error).endsWith(end)).toBe(true)
})
