import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EvaluationResultRow } from './EvaluationResultRow.tsx'

const id = '146304e6-6f1c-5bb9-a89f-3f1e29f6613f'
const result: EvaluationResult = {
  ...{ id, run_id: id, evaluator_id: id, evaluator_name: 'Polite', status: 'scored' },
  ...{ eval_type: 'offline_deterministic', score: 0, passed: false, confidence: null },
  ...{ reasoning: 'The tool `refund` failed.', issues: ['`order` is missing.'] },
  ...{ criteria: [], evidence: [], tokens_in: null, tokens_out: null, cost_usd: null },
  ...{ latency_ms: null, created_at: '2026-01-01T00:00:00Z' },
}

test('the result of an evaluator shows code as code, without backticks', () => {
  const html = renderToStaticMarkup(
    <EvaluationResultRow result={result} renderQuote={({ quote }) => quote} />,
  )
  expect(html).toMatch(/The tool <code[^>]*>refund<\/code> failed\./)
  expect(html).toMatch(/<code[^>]*>order<\/code> is missing\./)
  expect(html).not.toContain('`')
})

test('the criteria of a judge are shown without the instructions for the model', () => {
  const criteria: EvaluationResult['criteria'] = [
    { id: 'a', question: 'Is all covered? If unclear, yes.', verdict: 'yes', evidence: [] },
    { id: 'b', question: 'Is it brief', verdict: 'not_applicable', evidence: [] },
  ]
  const html = renderToStaticMarkup(
    <EvaluationResultRow result={{ ...result, criteria }} renderQuote={({ quote }) => quote} />,
  )
  expect(html).toContain('Is all covered? <strong>Yes</strong>')
  expect(html).toContain('Is it brief <strong>Not applicable</strong>')
})
