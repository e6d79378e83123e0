import { type ComponentProps, memo, useMemo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { autoDirection } from './auto-direction.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { ConfirmedLink } from './ConfirmedLink.tsx'
import { htmlAsText } from './html-as-text.ts'
import styles from './markdown.module.css'
import { toMarkdownParts } from './markdown-parts.ts'
import { OpenBlock } from './open-block.ts'
import { readCode } from './read-code.ts'
import { wholeCode } from './whole-code.ts'

interface Props {
  readonly text: string
  /** Whether more text follows. */
  readonly isOpen?: boolean
}

/**
 * Text of a model, which may be hostile: HTML in it is text, images are not loaded, and a link opens only after a
 * confirmation that shows its address. What would take too long to render is shown as it was written.
 */
export function ReplyMarkdown({ text, isOpen = false }: Props) {
  const parts = useMemo(() => toMarkdownParts(text), [text])
  return (
    <div className={styles.root}>
      {parts.map((part, place) =>
        // Parts are only appended.
        part.isPlain ? (
          <div key={place} className={styles.plain}>
            {part.text}
          </div>
        ) : (
          <Block key={place} text={part.text} isOpen={isOpen && place === parts.length - 1} />
        ),
      )}
    </div>
  )
}

const Block = memo(({ text, isOpen }: Required<Props>) => {
  const code = wholeCode(text)
  return (
    <OpenBlock value={isOpen}>
      {code === undefined ? (
        <Markdown
          remarkPlugins={remarkPlugins}
          rehypePlugins={rehypePlugins}
          components={components}
        >
          {text}
        </Markdown>
      ) : (
        <CodeBlock {...code} />
      )}
    </OpenBlock>
  )
})

/** Without attributes that take effect outside of the text, such as `id` and `style`. */
const schema = {
  ...defaultSchema,
  attributes: {
    a: ['href'],
    img: ['src', 'alt'],
    code: [['className', /^language-[\w+#.-]+$/]],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    th: ['align'],
    td: ['align'],
    ol: ['start'],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
} as typeof defaultSchema

const remarkPlugins = [remarkGfm, htmlAsText]
const rehypePlugins: ComponentProps<typeof Markdown>['rehypePlugins'] = [
  [rehypeSanitize, schema],
  autoDirection,
]

const components: Components = {
  pre: ({ children }) => <CodeBlock {...readCode(children)} />,
  a: ({ href, children }) => <ConfirmedLink href={href}>{children}</ConfirmedLink>,
  img: ({ src, alt }) => (
    <span className={styles.image}>
      Image not loaded{alt === undefined || alt === '' ? '' : `: ${alt}`}
      {typeof src === 'string' && src !== '' && (
        <>
          {' '}
          <ConfirmedLink href={src}>Open image</ConfirmedLink>
        </>
      )}
    </span>
  ),
  // Of a task in a list.
  input: ({ checked }) => (
    <input
      type="checkbox"
      aria-label={checked === true ? 'Done' : 'Not done'}
      checked={checked === true}
      disabled
      readOnly
    />
  ),
  table: ({ dir, children }) => (
    <div className={styles.table}>
      <table dir={dir}>{children}</table>
    </div>
  ),
}
