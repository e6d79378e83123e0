import type { IForbiddenRuleType } from 'dependency-cruiser'

/*
 * The allowed direction of imports as data. The rules of dependency-cruiser are derived from it, and check-docs.ts
 * compares it with the table of ARCHITECTURE.md.
 */

/** What each part may import of the others, beside itself. A folder below `server/src` without a line here is an error. */
export const directions: Readonly<Record<string, readonly string[]>> = {
  'contract/src': [],
  'server/src/domain': ['contract/src'],
  'server/src/platform': ['contract/src'],
  'server/src/storage': ['contract/src', 'server/src/domain', 'server/src/platform'],
  'server/src/conventions': ['contract/src', 'server/src/domain'],
  'server/src/detection': ['server/src/domain', 'server/src/platform'],
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
  'server/src/model-gateway': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/models',
  ],
  'server/src/cost-estimate': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/models',
    'server/src/model-gateway',
  ],
  'server/src/scenarios': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/cost-estimate',
  ],
  'server/src/simulation': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/scenarios',
    'server/src/model-gateway',
  ],
  'server/src/evaluators': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/detection',
  ],
  'server/src/documents': ['contract/src', 'server/src/platform'],
  'server/src/blueprint': ['contract/src'],
  'server/src/key-directory': [
    'contract/src',
    'server/src/platform',
    'server/src/storage/accounts',
  ],
  'server/src/sealed-history': [
    'contract/src',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/key-directory',
  ],
  'server/src/service-traces': [
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/storage/telemetry/port',
  ],
  'server/src/http': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/accounts',
  ],
  'server/src/ingest-workers': ['contract/src', 'server/src/platform'],
  'server/src/chat-content': [
    'contract/src',
    'server/src/platform',
    'server/src/detection',
    'server/src/ingest-workers',
  ],
  'server/src/chat-replies': ['contract/src', 'server/src/platform', 'server/src/model-gateway'],
  'server/src/features': [
    'contract/src',
    'server/src/domain',
    'server/src/platform',
    'server/src/storage/accounts',
    'server/src/storage/telemetry/port',
    'server/src/conventions',
    'server/src/models',
    'server/src/model-gateway',
    'server/src/cost-estimate',
    'server/src/scenarios',
    'server/src/simulation',
    'server/src/detection',
    'server/src/evaluators',
    'server/src/documents',
    'server/src/blueprint',
    'server/src/key-directory',
    'server/src/sealed-history',
    'server/src/jobs',
    'server/src/accounts',
    'server/src/ingest-workers',
    'server/src/chat-content',
    'server/src/chat-replies',
    'server/src/service-traces',
    'server/src/http',
  ],
  'server/src/probe': ['contract/src', 'server/src/domain'],
  'web/ui': [],
  'web/account': ['contract/src', 'web/ui'],
  'web/tracing': ['contract/src', 'web/ui', 'web/account'],
  'web/chat': ['contract/src', 'web/ui', 'web/account'],
}

const reasons: Readonly<Record<string, string>> = {
  'contract/src':
    'The contract is data that server and web share: move what it needs into the contract.',
  'server/src/domain':
    'Domain rules are pure: pass in what they need as plain values, or move the code into a feature.',
  'server/src/platform':
    'The platform does not depend on the product: pass values as parameters, or move the file up.',
  'server/src/storage':
    'Storage does not depend on its callers: pass values as parameters, or move the rule into domain.',
  'server/src/conventions': 'A convention only maps decoded spans: pass it the decoded span.',
  'server/src/models':
    'Models compute prices and do not depend on features or telemetry: pass them plain values.',
  'server/src/model-gateway':
    'The gateway calls any model for any feature: pass it messages, and read the answer in the feature.',
  'server/src/detection':
    'Detection searches any text: pass it a string, and let the caller decide what a finding means.',
  'server/src/jobs': 'The runner runs any kind of job: move what one kind does into its feature.',
  'server/src/accounts':
    'Accounts do not depend on HTTP, features or telemetry: pass values as parameters.',
  'server/src/cost-estimate':
    'Estimates do not depend on HTTP, features or telemetry: pass values as parameters.',
  'server/src/simulation':
    'A simulation runs one conversation: pass it models and records, and store what it returns in the feature.',
  'server/src/evaluators':
    'Evaluators are functions of a trace view: pass them what they need as plain values.',
  'server/src/blueprint':
    'Blueprints are built from the text of an answer: call the model and read stored data in a feature.',
  'server/src/key-directory':
    'The key directory reads and checks statements: store them in the feature.',
  'server/src/sealed-history':
    'Sealed history seals texts, whatever they are: store what was sealed in the feature.',
  'server/src/documents':
    'Documents become text, whatever it is for: pass limits as values, and use the text in a feature.',
  'server/src/service-traces':
    'Traces of any call are stored alike: encode the spans, and decide what to record, in the feature.',
  'server/src/http':
    'The HTTP layer serves any endpoint: move what one endpoint does into its feature.',
  'server/src/ingest-workers':
    'Ingest workers run any task and do not depend on features: register the task in ingest-worker.ts.',
  'server/src/chat-content':
    'The scan of chat content stores nothing and does not depend on HTTP: do both in the feature.',
  'server/src/chat-replies':
    'Replies are written without readers: prepare them, and store what comes, in the feature.',
  'server/src/features':
    'A feature uses telemetry through the port (storage/telemetry/port) and imports neither app.ts nor main.ts: let app.ts pass the value.',
  'server/src/probe': 'The probe is an HTTP client: add what it needs to the contract.',
  'web/ui':
    'Components of web/ui take texts and callbacks: move what depends on an endpoint or a page into the app.',
  'web/account':
    'Both web apps use it: leave what one of them needs in that app, and take it as a property.',
  'web/tracing':
    'A web app uses the contract, web/ui and web/account only: add what it needs from the server to the contract.',
  'web/chat':
    'A web app uses the contract, web/ui and web/account only: add what it needs from the server to the contract.',
}

/** Tests are exempt, because they combine parts. */
const tests = String.raw`\.(test|suite|spec)\.tsx?$`
const parts = '^(contract|server|web|e2e|bench|tools)/'

/** All rules, each with what to do instead. */
export const rules: readonly IForbiddenRuleType[] = [
  ...Object.entries(directions).map(([folder, allowed]) => directionRule(folder, allowed)),
  {
    name: 'no-cycle',
    severity: 'error',
    comment: 'Circular import. Move what both files need into a separate file.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'features-stand-alone',
    severity: 'error',
    comment: 'Features do not import each other. Move what two of them need into a lower folder.',
    from: { path: '^server/src/features/([^/]+)/', pathNot: tests },
    to: { path: '^server/src/features/', pathNot: '^server/src/features/$1/' },
  },
  {
    name: 'pages-stand-alone',
    severity: 'error',
    comment:
      'Pages do not import each other. Move what two of them need into a folder beside pages.',
    from: { path: '^web/(tracing|chat)/src/pages/([^/]+)/', pathNot: tests },
    to: { path: '^web/$1/src/pages/', pathNot: '^web/$1/src/pages/$2/' },
  },
  {
    name: 'pages-are-the-top',
    severity: 'error',
    comment: 'Only routes import pages. Move what shared parts need into a folder beside pages.',
    from: {
      path: '^web/(tracing|chat)/src/',
      pathNot: ['^web/(tracing|chat)/src/(pages|routes)/', tests],
    },
    to: { path: '^web/(tracing|chat)/src/pages/' },
  },
  {
    name: 'app-is-the-top',
    severity: 'error',
    comment:
      'app.ts, boot.ts, start-service.ts and main.ts compose the service: pass what is needed as a parameter.',
    from: {
      path: '^(contract|server/src|web)/',
      pathNot: [String.raw`^server/src/(boot|start-service|main)\.ts$`, tests],
    },
    to: { path: String.raw`^server/src/(app|boot|start-service|main)\.ts$` },
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
      'Only server/src/http and app.ts use Fastify. A feature binds declared endpoints (http/call.ts).',
    from: {
      path: '^(contract|server/src|web)/',
      pathNot: ['^server/src/http/', String.raw`^server/src/(app|main)\.ts$`, tests],
    },
    to: { path: 'node_modules/(fastify|@fastify)/' },
  },
  {
    name: 'model-clients-only-in-the-gateway',
    severity: 'error',
    comment:
      'Models are called through server/src/model-gateway, which limits, prices and retries.',
    from: { path: '^(contract|server/src|web)/', pathNot: ['^server/src/model-gateway/', tests] },
    to: { path: 'node_modules/(@ai-sdk|ai)/' },
  },
  {
    name: 'model-clients-are-loaded-late',
    severity: 'error',
    comment:
      'Clients of providers take memory and time: load them with import() at the first call.',
    from: { path: '^server/src/' },
    to: { path: 'node_modules/@ai-sdk/', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'evaluators-in-their-process',
    severity: 'error',
    comment:
      'Evaluators take memory and time to load: list them by evaluator-facts.ts, and run them in their process.',
    from: {
      path: '^server/src/',
      pathNot: [String.raw`^server/src/features/evaluation/evaluation-process\.ts$`, tests],
    },
    to: {
      path: String.raw`^server/src/evaluators/catalogue\.ts$`,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'tokenizer-in-its-process',
    severity: 'error',
    comment: 'The vocabulary takes memory and time to load: count agents in their process.',
    from: {
      path: '^server/src/',
      pathNot: [
        String.raw`^server/src/cost-estimate/count-agent\.ts$`,
        String.raw`^server/src/cost-estimate/counting-process\.ts$`,
        String.raw`^server/src/features/trace-runs/extraction-process\.ts$`,
        tests,
      ],
    },
    to: { path: String.raw`^server/src/cost-estimate/count-(agent|tokens)\.ts$` },
  },
  {
    name: 'documents-in-their-process',
    severity: 'error',
    comment: 'A document can take any time and memory to read: read it through document-reader.ts.',
    from: {
      path: '^server/src/',
      pathNot: [String.raw`^server/src/documents/(document-process|read-document)\.ts$`, tests],
    },
    to: {
      path: String.raw`^server/src/documents/(read-document|(html|pdf|docx)-text|decode-text)\.ts$`,
    },
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
    comment: 'Domain rules use no packages and no Node built-ins: move input and output elsewhere.',
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
    comment: 'Unresolved import: the file does not exist, or the package is not installed.',
    // The recorders have their own packages, installed only to record again.
    from: { pathNot: '^e2e/record/javascript/' },
    // Imports that only Vite resolves.
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
