import { readdirSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ICruiseResult, IViolation } from 'dependency-cruiser'
import { directions, rules } from './import-rules.ts'

/*
 * Checks the direction of imports, in this tree or in the one given as the argument.
 */

// dependency-cruiser reads TypeScript with the compiler's JavaScript interface, which TypeScript 7 no longer
// has. It gets the version that the tools' own package.json pins.
const ownRequire = createRequire(import.meta.url)

registerHooks({
  resolve(specifier, context, next) {
    const isParser = /^typescript(\/package\.json)?$/.test(specifier)
    if (!isParser || !context.parentURL?.includes('/dependency-cruiser/')) {
      return next(specifier, context)
    }
    return { url: pathToFileURL(ownRequire.resolve(specifier)).href, shortCircuit: true }
  },
})

const root = process.argv[2] ?? join(import.meta.dirname, '..')
const problems = [...foldersWithoutDirection(), ...(await violations())]
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

function foldersWithoutDirection(): readonly string[] {
  const folders = readdirSync(join(root, 'server/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `server/src/${name}`)
  return folders
    .filter((folder) => !(folder in directions))
    .map((folder) => `${folder}: give it a line in tools/import-rules.ts and in ARCHITECTURE.md.`)
}

async function violations(): Promise<readonly string[]> {
  const { cruise } = await import('dependency-cruiser')
  const { output } = await cruise(['contract', 'server', 'web', 'e2e', 'bench', 'tools'], {
    baseDir: root,
    ruleSet: { forbidden: [...rules] },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  })
  const { modules, summary } = output as ICruiseResult
  // Without a TypeScript parser the files would be skipped silently.
  if (!modules.some(({ source }) => source.endsWith('.ts'))) {
    return ['No TypeScript was read: is its parser missing?']
  }
  return summary.violations.map(formatViolation)
}

function formatViolation({ rule, from, to, cycle }: IViolation): string {
  const way = cycle === undefined ? to : cycle.map(({ name }) => name).join(' -> ')
  const { comment = '' } = rules.find(({ name }) => name === rule.name) ?? {}
  return `${from} -> ${way}\n  ${rule.name}: ${comment}`
}
