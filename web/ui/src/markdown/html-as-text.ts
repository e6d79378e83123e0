/*
 * HTML in the Markdown of a model is shown as it was written, and has no effect.
 */

interface Node {
  type: string
  value?: string
  children?: Node[]
}

const blocks: ReadonlySet<string> = new Set(['root', 'blockquote', 'listItem'])

/** A plugin for remark. */
export function htmlAsText() {
  return showHtml
}

function showHtml({ type, children = [] }: Node): void {
  for (const [place, node] of children.entries()) {
    if (node.type !== 'html') {
      showHtml(node)
      continue
    }
    const text = { type: 'text', value: node.value ?? '' }
    children[place] = blocks.has(type) ? { type: 'paragraph', children: [text] } : text
  }
}
