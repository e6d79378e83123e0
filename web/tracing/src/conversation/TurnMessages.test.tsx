import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../test/sample-span.ts'
import type { Turn } from '../api/trace-sessions.ts'
import { TurnMessages } from './TurnMessages.tsx'

const noBody = { attributes: {}, events: [], links: [], resource: {}, scope: {} }

function render(output: unknown): string {
  const span = { ...sampleSpan('step 1997', null), ...noBody, input: null, output }
  const turn: Turn = { span, isRoot: false, problem: undefined }
  return renderToStaticMarkup(
    <MantineProvider>
      <TurnMessages
        turn={{ data: turn, error: null, refetch: () => Promise.reject(new Error('not called')) }}
      />
    </MantineProvider>,
  )
}

describe('a turn whose root has no messages', () => {
  test('names the span that they are taken from', () => {
    const html = render('all is well')
    expect(html).toContain('Taken from span <code>step 1997</code>')
    expect(html).not.toContain('No input or output.')
  })

  test('names no span if that has none either', () => {
    const html = render(null)
    expect(html).toContain('No input or output.')
    expect(html).not.toContain('Taken from span')
  })
})
