import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { DifferenceSummary } from './DifferenceSummary.tsx'
import type { Difference } from './differences.ts'

function render(differences: readonly Difference[], isComplete: boolean): string {
  const span = sampleSpan('a', null)
  const row = { id: 'a', depth: 0, a: span, b: span, differences }
  const html = renderToStaticMarkup(<DifferenceSummary spans={[row]} isComplete={isComplete} />)
  return html.replaceAll(/<[^>]*>/g, '')
}

describe('the summary of differences', () => {
  test.each<[Difference, string]>([
    ['added', '1 added in B'],
    ['missing', '1 missing in B'],
    ['slower', '1 slower'],
    ['faster', '1 faster'],
    ['costlier', '1 more expensive'],
    ['cheaper', '1 cheaper'],
    ['unpriced', '1 with a known cost on one side only'],
    ['tokens', '1 different token count'],
    ['renamed', '1 different name or kind'],
    ['status', '1 different status'],
    ['output', '1 different output'],
  ])('lists %s', (difference, text) => {
    expect(render([difference], true)).toBe(text)
  })

  test('rules out differences only when all spans and outputs are compared', () => {
    expect(render([], true)).toBe('No differences')
    expect(render([], false)).toBe('No differences so far')
  })
})
