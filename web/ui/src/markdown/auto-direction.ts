/*
 * Text of right-to-left scripts is read from the right, whatever the language of the app. Each block has the direction
 * of its own text; code stays as it was written.
 */

interface Node {
  readonly type: string
  readonly tagName?: string
  properties?: Record<string, unknown>
  readonly children?: readonly Node[]
}

/** A plugin for rehype. */
export function autoDirection() {
  return ({ children = [] }: Node): void => {
    for (const node of children) {
      if (node.type !== 'element' || node.tagName === 'pre') continue
      node.properties = { ...node.properties, dir: 'auto' }
    }
  }
}
