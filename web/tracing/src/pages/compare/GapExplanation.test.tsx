import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Explanation, explanationQuery } from '../../api/explanations.ts'
import { GapExplanation } from './GapExplanation.tsx'

const result: EvaluationResult = {
  ...{ id: 'a', run_id: 'run', evaluator_id: 'e', evaluator_name: 'Polite' },
  ...{ eval_type: 'model_judge', status: 'scored', score: 1, passed: true, reasoning: '' },
  ...{ criteria: [], issues: [], evidence: [], confidence: null },
  ...{ tokens_in: null, tokens_out: null, cost_usd: null, latency_ms: 1 },
  created_at: '2026-01-01T00:00:00Z',
}
const gap = { a: result, b: { ...result, id: 'b', score: 0 }, labels: ['small', 'large'] } as const

function render(explanation: Explanation): string {
  const client = new QueryClient()
  client.setQueryData(explanationQuery('p', gap).queryKey, explanation)
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <GapExplanation projectId="p" gap={gap} />
    </QueryClientProvider>,
  )
}

test.each<[Explanation['source'], string]>([
  ['model', 'Written by a model'],
  ['heuristic', 'Written by rules'],
])('an explanation is shown with its source in words: %s', (source, words) => {
  const html = render({ explanation: 'small is polite.', source })
  expect(html).toContain('small is polite.')
  expect(html).toContain(words)
})

test('an explanation is shown as text, whatever markup is in it', () => {
  const explanation = '<img src=x onerror=alert(1)> [Sign in](https://attacker.example)'
  const html = render({ explanation, source: 'model' })
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; [Sign in](https://attacker.example)')
  expect(html).not.toMatch(/<img|<a /)
})
