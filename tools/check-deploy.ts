import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { DCLinter } from 'dclint'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { parse, parseAllDocuments, stringify } from 'yaml'

/*
 * Checks the files that deploy Assay: the Dockerfile, the Compose files by their schema, and the values of the Helm chart
 * by theirs. The templates of the chart need programs in Go, and are checked where these are installed:
 *
 *   go install helm.sh/helm/v3/cmd/helm@latest sigs.k8s.io/kubectl-validate@latest
 *
 * Checks this repository, or the folder given as the argument.
 */

const folder = process.argv[2] ?? join(import.meta.dirname, '../deploy')
const chart = join(folder, 'helm/assay')
const allValues = join(chart, 'ci/scaled-values.yaml')

/** Taste, or wrong here: the image is built where it is run, and a public address is on all interfaces. */
const rulesOff = [
  'no-build-and-image',
  'no-unbound-port-interfaces',
  'require-project-name-field',
  'require-quotes-in-ports',
  'service-image-require-explicit-tag',
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
]

/** The oldest version of Kubernetes that the chart supports, and one whose schemas kubectl-validate contains. */
const kubernetesVersions = { oldest: '1.27.0', validated: '1.30' } as const

const problems = [
  ...dockerfileProblems(),
  ...composeProblems(),
  ...valuesProblems(),
  ...templateProblems(),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

function dockerfileProblems(): readonly string[] {
  return validateDockerfile(readFileSync(join(folder, 'Dockerfile'), 'utf8')).map(
    ({ message, range }) =>
      `Dockerfile:${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  )
}

function composeProblems(): readonly string[] {
  const rules = Object.fromEntries(rulesOff.map((rule) => [rule, 0 as const]))
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] })
  const files: readonly LintedFile[] = linter.lintFiles(
    globSync(join(folder, 'compose*.yaml')),
    false,
  )
  return files.flatMap(({ filePath, messages }) =>
    messages.map(({ line, message }) => `${filePath}:${line}: ${message}`),
  )
}

/** The types of dclint cannot be resolved by Node's rules. */
interface LintedFile {
  readonly filePath: string
  readonly messages: readonly { readonly line: number; readonly message: string }[]
}

function valuesProblems(): readonly string[] {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as object
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)
  const defaults = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as object
  const all = parse(readFileSync(allValues, 'utf8')) as object
  return [defaults, { ...defaults, ...all }].flatMap((values) =>
    isValid(values)
      ? []
      : (isValid.errors ?? []).map(
          ({ instancePath, message }) => `values.yaml: ${instancePath} ${message}`,
        ),
  )
}

function templateProblems(): readonly string[] {
  if (!isInstalled('helm', 'version')) {
    console.log('skipped: the templates of the Helm chart (only with helm)')
    return []
  }
  return [[], ['--values', allValues]].flatMap((values) => [
    ...outputOfFailure('helm', ['lint', '--strict', '--quiet', chart, ...values]),
    ...renderedProblems(values),
  ])
}

/** Of what the templates render to with `values`. */
function renderedProblems(values: readonly string[]): readonly string[] {
  const args = ['template', 'assay', chart, '--kube-version', kubernetesVersions.oldest, ...values]
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' })
  if (status !== 0) return [`helm template: ${stderr.trim()}`]
  if (!isInstalled('kubectl-validate', '--help')) {
    console.log('skipped: the schemas of Kubernetes (only with kubectl-validate)')
    return []
  }
  const scratch = mkdtempSync(join(tmpdir(), 'assay-chart-'))
  const file = join(scratch, 'rendered.yaml')
  writeFileSync(file, withoutCustomResources(stdout))
  const { validated } = kubernetesVersions
  const found = outputOfFailure('kubectl-validate', ['--version', validated, file])
  rmSync(scratch, { recursive: true })
  return found
}

/** Their schemas are not part of Kubernetes. */
function withoutCustomResources(rendered: string): string {
  return parseAllDocuments(rendered)
    .map((document) => document.toJS() as { readonly apiVersion: string })
    .filter(({ apiVersion }) => apiVersion !== 'monitoring.coreos.com/v1')
    .map((resource) => stringify(resource))
    .join('---\n')
}

function isInstalled(program: string, argument: string): boolean {
  return spawnSync(program, [argument]).status === 0
}

function outputOfFailure(program: string, args: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? [] : [`${program}: ${`${stdout}${stderr}`.trim()}`]
}
