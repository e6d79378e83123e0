import { globSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'

/*
 * Checks what the linter cannot: banned file names, components that differ from their file name, and
 * suppressions without a reason. Checks this repository, or the tree given as the argument.
 */

const root = process.argv[2] ?? join(import.meta.dirname, '..')

const emptyEndings = ['util', 'utils', 'helper', 'helpers', 'manager']
const emptyNames = [
  ...['index', 'common', 'shared', 'misc', 'types', 'constants', 'service'],
  ...emptyEndings,
]

const valueExport = /^export (?:async )?(?:function|const|let|class) (\w+)/gm
const suppression = /(?:\/\/|\/\*|\{\/\*)\s*(oxlint-disable|eslint-disable|@ts-|biome-ignore)(.*)/
const reason = /(?:--|:)\s+\S+(?:\s+\S+){2,}/

const problems = sourceFiles().flatMap((path) => [
  ...nameProblems(path),
  ...contentProblems(path, readFileSync(join(root, path), 'utf8')),
])
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

function sourceFiles(): readonly string[] {
  return globSync('{contract,server,web,e2e,bench,tools}/**/*.{ts,tsx,mjs,js,cjs,css}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  })
    .map((path) => path.replaceAll(sep, '/'))
    .sort()
}

function nameProblems(path: string): readonly string[] {
  const [stem = ''] = basename(path).split('.')
  const lastWord = stem.split('-').at(-1) ?? ''
  const isEmpty = emptyNames.includes(stem) || emptyEndings.includes(lastWord)
  const folder = path.split('/').find((part) => emptyNames.includes(part))
  return [
    ...(isEmpty ? [`${path}: "${stem}" says nothing. Name the file for what it is about.`] : []),
    ...(folder === undefined
      ? []
      : [`${path}: a folder "${folder}" has no subject. Name it for one.`]),
  ]
}

function contentProblems(path: string, text: string): readonly string[] {
  return [...componentProblems(path, text), ...suppressionProblems(path, text)]
}

function componentProblems(path: string, text: string): readonly string[] {
  const name = basename(path, '.tsx')
  if (!path.endsWith('.tsx') || !/^[A-Z]\w*$/.test(name)) return []
  const exported = [...text.matchAll(valueExport)].map(([, one]) => one)
  if (exported.length === 1 && exported[0] === name) return []
  return [`${path}: a file called after a component exports that component and no other value.`]
}

function suppressionProblems(path: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, at) => {
    const rest = suppression.exec(line)?.[2]
    if (rest === undefined || reason.test(rest)) return []
    return [`${path}:${at + 1}: a suppression needs " -- " and the reason in words.`]
  })
}
