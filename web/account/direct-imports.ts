import { dirname, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Program = ReturnType<Rolldown.PluginContext['parse']>

/** The packages whose entry module imports all of their other modules. */
const packages = new Set(['@mantine/core', '@mantine/hooks', '@tabler/icons-react'])

/**
 * Replaces an import from a large package by imports from the modules that declare the names. The build is faster, and
 * the imports of a module are what it needs, which the chunks depend on.
 */
export function directImports(): Plugin {
  const modules = new Map<string, Promise<ReadonlyMap<string, Declared>>>()
  return {
    name: 'direct-imports',
    apply: 'build',
    transform: {
      filter: { code: /['"]@(mantine|tabler)\// },
      async handler(code, id) {
        let text = code
        for (const one of this.parse(code).body.toReversed()) {
          if (one.type !== 'ImportDeclaration' || !packages.has(one.source.value)) continue
          const name = one.source.value
          if (!modules.has(name)) modules.set(name, declaredIn(this, name, id))
          const declared = (await modules.get(name)) ?? new Map<string, Declared>()
          const imports = one.specifiers.map((each) => directImport(each, declared))
          if (imports.includes(undefined)) continue
          text = text.slice(0, one.start) + imports.join(';') + text.slice(one.end)
        }
        return text
      },
    },
  }
}

interface Declared {
  readonly file: string
  readonly name: string
}

type Specifier = Extract<
  Program['body'][number],
  { type: 'ImportDeclaration' }
>['specifiers'][number]

function directImport(one: Specifier, declared: ReadonlyMap<string, Declared>) {
  if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier') return undefined
  const found = declared.get(one.imported.name)
  return found && `import { ${found.name} as ${one.local.name} } from ${JSON.stringify(found.file)}`
}

/** What the entry module of a package exports from its other modules. */
async function declaredIn(
  context: Rolldown.PluginContext,
  name: string,
  importer: string,
): Promise<ReadonlyMap<string, Declared>> {
  const entry = await context.resolve(name, importer)
  if (entry === null) throw new Error(`${name} is not installed.`)
  const code = await context.fs.readFile(entry.id, { encoding: 'utf8' })
  const imported = new Map<string, Declared>()
  const exported = new Map<string, Declared>()
  for (const one of context.parse(code).body) {
    if (one.type === 'ImportDeclaration') {
      for (const each of one.specifiers) {
        if (each.type !== 'ImportSpecifier' || each.imported.type !== 'Identifier') continue
        const file = join(dirname(entry.id), one.source.value)
        imported.set(each.local.name, { file, name: each.imported.name })
      }
    } else if (one.type === 'ExportNamedDeclaration') {
      for (const { local, exported: as } of one.specifiers) {
        if (local.type !== 'Identifier' || as.type !== 'Identifier') continue
        const found = one.source
          ? { file: join(dirname(entry.id), one.source.value), name: local.name }
          : imported.get(local.name)
        if (found !== undefined) exported.set(as.name, found)
      }
    }
  }
  return exported
}
