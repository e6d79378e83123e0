import { common, createLowlight } from 'lowlight'

/*
 * Splits code into the parts that highlight.js finds. It can take very long for some texts, so pages call it in a worker.
 */

/** A text with the classes that it has, if any. */
export type CodePart = readonly [text: string, classes: string]

export interface CodeToHighlight {
  readonly code: string
  /** A name that a model wrote. */
  readonly language: string
}

const lowlight = createLowlight(common)

/** Joined, the texts are the code. A single part without classes, if the language is unknown. */
export function highlightCode({ code, language }: CodeToHighlight): CodePart[] {
  if (!lowlight.registered(language)) return [[code, '']]
  return partsOf(lowlight.highlight(language, code).children, '')
}

type Highlighted = ReturnType<typeof lowlight.highlight>['children'][number]

function partsOf(nodes: readonly Highlighted[], classes: string): CodePart[] {
  return nodes.flatMap((node): CodePart[] => {
    if (node.type === 'text') return [[node.value, classes]]
    if (node.type !== 'element') return []
    const { className } = node.properties
    return partsOf(node.children, Array.isArray(className) ? className.join(' ') : classes)
  })
}
