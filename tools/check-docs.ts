import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { generatedFiles } from './generated-files.ts'
import { directions } from './import-rules.ts'

/*
 * Checks documents: links and paths exist, listed import rules are the enforced ones, generated files are
 * current.
 */

const root = join(import.meta.dirname, '..')

const wordLimits: Readonly<Record<string, number>> = { 'ARCHITECTURE.md': 900, 'STYLE.md': 1200 }

/** Back-ticked text with these prefixes is a path in the repository. */
const pathInText =
  /^(contract|server|web|e2e|bench|tools|docs|deploy|\.ci|\.github)\/[\w@./*{},-]*$/
const rootFileInText = /^[\w.-]+\.(md|json|yml|yaml|config\.ts)$/

const documents = globSync(
  ['*.md', 'docs/**/*.md', '{contract,server,web,e2e,bench}/**/README.md'],
  {
    cwd: root,
    exclude: ['**/node_modules'],
  },
).map((path) => path.replaceAll(sep, '/'))
const scripts = Object.keys(
  (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts,
)

const problems = [
  ...documents.flatMap((path) => documentProblems(path, read(path))),
  ...directionProblems(),
  ...referenceProblems(),
  ...decisionProblems(),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function documentProblems(path: string, text: string): readonly string[] {
  return [
    ...[...text.matchAll(/`([^`\n]+)`/g)]
      .map(([, code = '']) => code)
      .filter((code) => (pathInText.test(code) || rootFileInText.test(code)) && !isThere(code))
      .map((code) => `${path}: \`${code}\` does not exist.`),
    ...[...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(target, path))
      .map((target) => `${path}: the link to ${target} leads nowhere.`),
    ...[...text.matchAll(/npm run ([\w:-]+)/g)]
      .map(([, script = '']) => script)
      .filter((script) => !scripts.includes(script))
      .map((script) => `${path}: there is no script "${script}" in package.json.`),
    ...lengthProblems(path, text),
  ]
}

function isThere(path: string): boolean {
  return existsSync(join(root, path)) || globSync(path, { cwd: root }).length > 0
}

function leadsSomewhere(target: string, from: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : join(dirname(from), file)
  if (!existsSync(join(root, path))) return false
  return anchor === undefined || headings(read(path)).includes(anchor)
}

function headings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

function lengthProblems(path: string, text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length
  const most = wordLimits[path]
  if (most === undefined || words < most) return []
  return [`${path}: ${words} words; it stays under ${most}.`]
}

/** The table of ARCHITECTURE.md: a folder in the first column, what it may import in the second. */
function directionProblems(): readonly string[] {
  const rows = read('ARCHITECTURE.md').matchAll(/^\| `([^`]+)` +\| (.*?) *\|$/gm)
  const written = new Map([...rows].map(([, folder = '', cell = '']) => [folder, pathsIn(cell)]))
  const enforced = Object.entries(directions)
  return [
    ...enforced
      .filter(([folder, allowed]) => written.get(folder) !== [...allowed].sort().join(' '))
      .map(([folder]) => `ARCHITECTURE.md: what ${folder} may import is not what is enforced.`),
    ...[...written.keys()]
      .filter((folder) => !(folder in directions))
      .map((folder) => `ARCHITECTURE.md: nothing is enforced for ${folder}.`),
  ]
}

function pathsIn(cell: string): string {
  return [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, path = '']) => path)
    .sort()
    .join(' ')
}

function referenceProblems(): readonly string[] {
  return Object.entries(generatedFiles())
    .filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text)
    .map(([path]) => `${path} is not current: npm run docs`)
}

/** Two branches can each add the next record. */
function decisionProblems(): readonly string[] {
  const byNumber = Map.groupBy(globSync('docs/adr/*.md', { cwd: root }), (path) =>
    basename(path).slice(0, 4),
  )
  return [...byNumber]
    .filter(([, paths]) => paths.length > 1)
    .map(([number, paths]) => `${paths.join(' and ')}: both have the number ${number}.`)
}
