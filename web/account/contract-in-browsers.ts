import type { Plugin, Rolldown } from 'vite'

/** What browsers use of an endpoint: how it is called, and the rules that forms check. */
const usedOfEndpoint = new Set(['method', 'path', 'reply', 'body'])
/** What the reference page adds to a limit. */
const documentsLimit = new Set(['unit', 'of'])

/**
 * Leaves out of the built pages what only the service and the documents read, which is most of the contract: such
 * properties of endpoints and limits, and the declarations that nothing uses then. Those are data, although they call
 * functions.
 */
export function contractInBrowsers(): Plugin {
  return {
    name: 'contract-in-browsers',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler(code) {
        const edits: Edit[] = []
        for (const statement of this.parse(code).body) {
          const declared =
            statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          if (declared?.type !== 'VariableDeclaration') continue
          for (const { init } of declared.declarations) {
            if (init === null) continue
            edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
            edits.push(
              ...unusedProperties(init).map(({ start, end }) => ({ start, end, text: '...{}' })),
            )
            edits.push({ start: init.end, end: init.end, text: '))()' })
          }
        }
        return applyEdits(code, edits)
      },
    },
  }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

type Program = ReturnType<Rolldown.PluginContext['parse']>
type Expression = Extract<Program['body'][number], { type: 'ExpressionStatement' }>['expression']
type Property = Extract<Expression, { type: 'ObjectExpression' }>['properties'][number]

function unusedProperties(init: Expression): readonly Property[] {
  if (init.type === 'ObjectExpression') {
    return init.properties.flatMap((limit) =>
      limit.type === 'Property' ? named(limit.value, (name) => documentsLimit.has(name)) : [],
    )
  }
  const isEndpoint =
    init.type === 'CallExpression' &&
    init.callee.type === 'Identifier' &&
    init.callee.name === 'endpoint'
  return isEndpoint ? named(init.arguments[0], (name) => !usedOfEndpoint.has(name)) : []
}

/** The properties of an object literal whose names meet a condition. */
function named(
  value: Expression | { readonly type: string } | undefined,
  isMeant: (name: string) => boolean,
): readonly Property[] {
  if (value?.type !== 'ObjectExpression') return []
  return (value as Extract<Expression, { type: 'ObjectExpression' }>).properties.filter(
    (one) => one.type === 'Property' && one.key.type === 'Identifier' && isMeant(one.key.name),
  )
}

/** @param edits in the order of the text. */
function applyEdits(code: string, edits: readonly Edit[]): string {
  let from = 0
  const pieces = edits.map(({ start, end, text }) => {
    const piece = code.slice(from, start) + text
    from = end
    return piece
  })
  return pieces.join('') + code.slice(from)
}
