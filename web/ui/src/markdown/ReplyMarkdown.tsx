import { type ComponentProps, memo, type ReactNode, useMemo } from 'react'
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
  /**
   * Whether it was recorded elsewhere: its lines end where they ended, and its headings are none of the page. The page
   * may have many such texts, so each has less time.
   */
  readonly isRecorded?: boolean
}

const recordedBudget = { blockMs: 100, totalMs: 1000 }

/**
 * Text of a model, which may be hostile: HTML in it is text, images are not loaded, and a link opens only after a
 * confirmation that shows its address. What would take too long to render is shown as it was written.
 */
export function ReplyMarkdown({ text, isOpen = false, isRecorded = false }: Props) {
  const parts = useMemo(
    () => toMarkdownParts(text, isRecorded ? recordedBudget : undefined),
    [text, isRecorded],
  )
  return (
    <div className={styles.root} data-recorded={isRecorded || undefined}>
      {parts.map((part, place) =>
        // Parts are only appended.
        part.isPlain ? (
          <div key={place} className={styles.plain}>
            {part.text}
          </div>
        ) : (
          <Block
            key={place}
            text={part.text}
            isOpen={isOpen && place === parts.length - 1}
            isRecorded={isRecorded}
          />
        ),
      )}
    </div>
  )
}

const Block = memo(({ text, isOpen, isRecorded }: Required<Props>) => {
  const code = wholeCode(text)
  return (
    <OpenBlock value={isOpen}>
      {code === undefined ? (
        <Markdown
          remarkPlugins={remarkPlugins}
          rehypePlugins={rehypePlugins}
          components={isRecorded ? recordedComponents : components}
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

interface HeadingProps {
  readonly children?: ReactNode
  readonly node?: { readonly tagName: string } | undefined
}

function Heading({ children, node }: HeadingProps) {
  return (
    <p className={styles.heading} data-level={node?.tagName}>
      {children}
    </p>
  )
}

const recordedComponents: Components = {
  ...components,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
}
