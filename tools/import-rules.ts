import type { IForbiddenRuleType } from 'dependency-cruiser'

/*
 * Which way imports may run, as data. The rules of dependency-cruiser are made from it, and the table of
 * ARCHITECTURE.md must say the same (check-docs.ts).
 */

/** What each part may import of the others, beside itself. A folder below `server/src` without a line here is an error. */
export const directions: Readonly<Record<string, readonly string[]>> = {
  'contract/src': [],
  'server/src/domain': ['contract/src'],
  'server/src/platform': ['contract/src'],
  'server/src/storage': ['contract/src', 'server/src/domain', 'server/src/platform'],
  'server/src/conventions': ['contract/src', 'server/src/domain'],
  'server/src/jobs': ['server/src/platform', 'server/src/storage/accounts'],
  'server/src/accounts': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/jobs',
  ],
  'server/src/models': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
  ],
  'server/src/http': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/accounts',
  ],
  'server/src/ingest-workers': ['contract/src', 'server/src/platform'],
  'server/src/features': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/storage/telemetry/port',
    'server/src/conventions',
    'server/src/models',
    'server/src/jobs',
    'server/src/accounts',
    'server/src/ingest-workers',
    'server/src/http',
  ],
  'server/src/probe': ['contract/src', 'server/src/domain'],
  'web/ui': [],
  'web/tracing': ['contract/src', 'web/ui'],
}

const reasons: Readonly<Record<string, string>> = {
  'contract/src':
    'The contract is data that server and web share. What it needs of the others belongs into it.',
  'server/src/domain':
    'Domain rules are pure: pass in what they need as plain values, or move what does the work up into a feature.',
  'server/src/platform':
    'The platform knows no product. Take its words as parameters, or move the file up.',
  'server/src/storage':
    'Storage is below whoever uses it. Take what is needed as a parameter, or move the rule down into domain.',
  'server/src/conventions':
    'A convention turns foreign spans into ours and knows nothing else: give it the decoded span.',
  'server/src/models':
    'Models know what calls cost and how they are made, and nothing of features and telemetry: give them plain values.',
  'server/src/jobs':
    'The runner runs any kind of job. What one kind does belongs into its feature.',
  'server/src/accounts':
    'Accounts answer who is calling. They know no HTTP, no feature and no telemetry; let the caller pass those in.',
  'server/src/http':
    'The HTTP layer serves any endpoint. What one endpoint does belongs into its feature.',
  'server/src/ingest-workers':
    'An ingest worker runs tasks on other threads and does not depend on features: let ingest-worker.ts name it.',
  'server/src/features':
    'A feature uses telemetry through the port (storage/telemetry/port) and imports nothing of app.ts or main.ts: let app.ts pass it in.',
  'server/src/probe':
    'The prober is a client like any other: what it needs of the service is an endpoint of the contract.',
  'web/ui':
    'Pieces of web/ui take words and callbacks. What knows an endpoint or a page belongs into the app.',
  'web/tracing':
    'A web app knows the contract and web/ui. What it needs of the server is an endpoint of the contract.',
}

/** Tests may reach across, because they put parts together that the product keeps apart. */
const tests = String.raw`\.(test|suite|spec)\.tsx?$`
const parts = '^(contract|server|web|e2e|bench|tools)/'

/** Every rule, each with what to do instead. */
export const rules: readonly IForbiddenRuleType[] = [
  ...Object.entries(directions).map(([folder, allowed]) => directionRule(folder, allowed)),
  {
    name: 'no-cycle',
    severity: 'error',
    comment: 'Files import each other in a circle. Move what both need into a file of its own.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'features-stand-alone',
    severity: 'error',
    comment: 'Features do not know each other. What two of them need moves down and takes a name.',
    from: { path: '^server/src/features/([^/]+)/', pathNot: tests },
    to: { path: '^server/src/features/', pathNot: '^server/src/features/$1/' },
  },
  {
    name: 'app-is-the-top',
    severity: 'error',
    comment:
      'app.ts, boot.ts and main.ts compose the service: pass what is needed as a parameter instead.',
    from: {
      path: '^(contract|server/src|web)/',
      pathNot: [String.raw`^server/src/(boot|main)\.ts$`, tests],
    },
    to: { path: String.raw`^server/src/(app|boot|main)\.ts$` },
  },
  {
    name: 'drivers-only-in-storage',
    severity: 'error',
    comment:
      'Database drivers stay in server/src/storage. Write the statement there and call it from here.',
    from: { path: '^(contract|server/src|web)/', pathNot: ['^server/src/storage/', tests] },
    to: {
      path: String.raw`^(node:)?sqlite$|node_modules/(kysely|pg|@types/pg|chdb|@clickhouse)(/|$)`,
    },
  },
  {
    name: 'fastify-only-in-http',
    severity: 'error',
    comment:
      'Only server/src/http and app.ts know Fastify. A feature binds declared endpoints (http/call.ts).',
    from: {
      path: '^(contract|server/src|web)/',
      pathNot: ['^server/src/http/', String.raw`^server/src/(app|main)\.ts$`, tests],
    },
    to: { path: 'node_modules/(fastify|@fastify)/' },
  },
  {
    name: 'contract-needs-zod-only',
    severity: 'error',
    comment:
      'The contract runs in browsers and in Node: it imports zod and no other package or built-in.',
    from: { path: '^contract/src/', pathNot: tests },
    to: { dependencyTypesNot: ['local', 'localmodule'], pathNot: 'node_modules/zod/' },
  },
  {
    name: 'domain-is-pure',
    severity: 'error',
    comment:
      'Domain rules use no package and no built-in of Node: what does input or output goes elsewhere.',
    from: { path: '^server/src/domain/', pathNot: tests },
    to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
  },
  {
    name: 'no-tests-in-code',
    severity: 'error',
    comment:
      'Code does not import tests or what only tests share. Move what both need out of the tests.',
    from: { path: '^(contract|server/src|web)/', pathNot: tests },
    to: { path: [tests, '^(server/test|e2e|bench|tools)/'] },
  },
  {
    name: 'nothing-unresolved',
    severity: 'error',
    comment: 'This import leads nowhere: the file is not there, or the package is not installed.',
    // The recorders have packages of their own, installed only to record anew.
    from: { pathNot: '^e2e/record/javascript/' },
    // Vite knows ways to import that Node does not.
    to: { couldNotResolve: true, pathNot: String.raw`\?(worker|url|raw)$|\.css$` },
  },
]

function directionRule(folder: string, allowed: readonly string[]): IForbiddenRuleType {
  const open = [folder, ...allowed].map(asPattern)
  return {
    name: `direction-of-${folder.replaceAll('/', '-')}`,
    severity: 'error',
    comment: reasons[folder] ?? '',
    from: { path: asPattern(folder), pathNot: tests },
    to: { path: parts, pathNot: open },
  }
}

function asPattern(path: string): string {
  const escaped = path.replaceAll('.', String.raw`\.`)
  return path.endsWith('.ts') ? `^${escaped}$` : `^${escaped}/`
}
