import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitTemplate } from './template-parts.ts'

test('placeholders and what only looks like one are parts of their own', () => {
  expect(splitTemplate('Is {{output}} polite to {{user}}? {{ input }}')).toEqual([
    { text: 'Is ', kind: 'text' },
    { text: '{{output}}', kind: 'placeholder' },
    { text: ' polite to ', kind: 'text' },
    { text: '{{user}}', kind: 'unknown' },
    { text: '? ', kind: 'text' },
    { text: '{{ input }}', kind: 'unknown' },
  ])
  expect(splitTemplate('{{trace} is polite')[0]).toEqual({ text: '{{trace}', kind: 'unknown' })
})

test('the parts together are the template', () => {
  const piece = fc.constantFrom('{{', '}}', '{', '}', '{{trace}}', '{{input}}', ' a ', '\n')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const template = pieces.join('')
      const parts = splitTemplate(template)
      expect(parts.map(({ text }) => text).join('')).toBe(template)
    }),
  )
})
