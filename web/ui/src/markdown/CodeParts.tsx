import { memo } from 'react'
import type { CodePart } from './highlight-code.ts'

/** Code as text in elements with the classes of highlight.js: it becomes no markup, whatever it is. */
export const CodeParts = memo(({ parts }: { readonly parts: readonly CodePart[] }) =>
  parts.map(([text, classes], place) =>
    classes === '' ? (
      text
    ) : (
      <span key={place} className={classes}>
        {text}
      </span>
    ),
  ),
)
