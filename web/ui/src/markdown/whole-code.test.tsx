import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { expect, test } from 'vitest'
import { wholeCode } from './whole-code.ts'

const line = fc.constantFrom(
  ...['', ' ', 'const a = 1', '  b', '\tc', '```', '````', '   ```', '    ```', '``` x', '~~~'],
  ...['~~~~ ', '``', '<b>&amp;</b>', '# A heading', '- item'],
)
const opening = fc.constantFrom('```', '```ts', '``` c++ ', '~~~', '~~~~sh', '````', '\n```')

test('a block of code has the code and the language that Markdown reads, also while it is written', () => {
  fc.assert(
    fc.property(opening, fc.array(line, { maxLength: 8 }), fc.nat(), (first, lines, cut) => {
      const text = [first, ...lines].join('\n')
      const written = text.slice(0, 1 + (cut % text.length))
      const found = wholeCode(written)
      if (found === undefined) return
      const { code, language } = found
      const className = language === undefined ? {} : { className: `language-${language}` }
      const expected = (
        <pre>
          <code {...className}>{code}</code>
        </pre>
      )
      expect(renderToStaticMarkup(<Markdown remarkPlugins={[remarkGfm]}>{written}</Markdown>)).toBe(
        renderToStaticMarkup(expected),
      )
    }),
    { numRuns: 2000 },
  )
})

test.each([
  'Text\n```\ncode\n```\n',
  '```\ncode\n```\nText',
  '``` a `b`\ncode',
  '```a&amp;b\ncode',
  '    ```\n',
  '```',
])('%j is left to Markdown', (block) => {
  expect(wholeCode(block)).toBeUndefined()
})
