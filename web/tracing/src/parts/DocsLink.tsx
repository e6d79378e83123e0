import type { ReactNode } from 'react'

interface Props {
  /** Of a section of the page. */
  readonly anchor: 'estimate-accuracy' | 'post-projects-projectid-cost-calculator-estimate'
  readonly children: ReactNode
}

/** A link to the reference that the service has at /docs, in a tab of its own. */
export function DocsLink({ anchor, children }: Props) {
  return (
    <a href={`/docs#${anchor}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
