import type { Plugin } from 'vite'

/**
 * Leaves out of the built pages how zod writes JSON schemas, a fifth of its code: each of its classes refers to it, but
 * only the service and the tests call it.
 */
export function noJsonSchemas(): Plugin {
  return {
    name: 'no-json-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/ },
      handler(code) {
        const names = this.parse(code).body.flatMap((one) => {
          if (one.type !== 'ExportNamedDeclaration') return []
          const { declaration } = one
          if (declaration?.type === 'FunctionDeclaration') return [declaration.id?.name]
          if (declaration?.type === 'VariableDeclaration')
            return declaration.declarations.map(({ id }) => 'name' in id && id.name)
          return one.specifiers.map(({ exported }) => 'name' in exported && exported.name)
        })
        const absent = names.map((name) => `absent as ${name}`)
        return `function absent() {}\nexport { ${absent.join(', ')} }`
      },
    },
  }
}
