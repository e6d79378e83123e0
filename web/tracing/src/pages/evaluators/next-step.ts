import { ApiError } from '@assay/contract/client.ts'

/*
 * What to do after a trial without a result.
 */

const byKind: Readonly<Record<string, string>> = {
  timeout: 'Try again, or test the model under Settings, Models.',
  provider_error: 'Test the model under Settings, Models.',
  refused: 'Choose another model or another trace.',
  invalid_output: 'Try again, or choose a model that supports structured output.',
  context_too_long:
    'Choose a model with a longer context, or read {{input}} and {{output}} instead of {{trace}}.',
  budget: 'Choose a cheaper model, or have ASSAY_JUDGE_BUDGET_USD raised.',
}

/** After a judge that failed: its reasoning begins with the kind of failure. */
export function nextStepAfter(reasoning: string): string | undefined {
  const [, kind = ''] = /^Not scored: (\w+): /.exec(reasoning) ?? []
  return byKind[kind]
}

/** The message of a refused request, with what to do. */
export function formatTrialError(error: Error): string {
  if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') return error.message
  const { field } = error.details as { readonly field?: string }
  if (field === 'model_config_id') return `${error.message} Choose another model.`
  if (field === 'evaluator') return `${error.message} Reload the page.`
  return `${error.message} Choose another trace of this project.`
}
