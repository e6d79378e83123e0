import { ingestBatch } from '@assay/contract/ingest.ts'
import { describe, expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

const origin = 'https://assay.example'
const key = `tk_live_${'0a'.repeat(24)}`
const snippets = snippetsFor(origin, key)

describe('the snippets', () => {
  test.each(snippets.map((snippet) => [snippet.title, snippet] as const))(
    'for %s contain the address of the service and the key',
    (_title, { steps }) => {
      const text = steps.map((step) => step.text).join('\n')
      expect(text).toContain(`${origin}/api`)
      expect(text).toContain(`x-tracing-key`)
      expect(text).toContain(key)
    },
  )

  test('for curl send a body that the service accepts', () => {
    const [curl] = snippets
    const body = curl?.steps[0]?.text.match(/<<JSON\n([\s\S]*)\nJSON$/)?.[1] ?? ''
    // As the shell would substitute them.
    const filled = body.replace('$(date +%s)', '1').replaceAll('$now', '2026-11-20T10:00:00Z')
    const { spans } = ingestBatch.parse(JSON.parse(filled))
    expect(spans.map(({ kind }) => kind)).toEqual(['agent', 'llm'])
  })
})
