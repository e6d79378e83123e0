import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { rules } from './import-rules.ts'

type Files = Readonly<Record<string, string>>

/** A tree that breaks no rule: each part imports what it may. */
const clean: Files = {
  'contract/package.json': '{ "name": "@assay/contract", "exports": { "./*": "./src/*" } }',
  'contract/src/all.ts': "import { z } from 'zod'\nexport const all = z",
  'server/src/domain/span.ts': "export { all as span } from '@assay/contract/all.ts'",
  'server/src/platform/log.ts': "export { all as log } from '@assay/contract/all.ts'",
  'server/src/storage/accounts/stores.ts':
    "import type { Kysely } from 'kysely'\nimport { log } from '../../platform/log.ts'\nexport const stores = log",
  'server/src/storage/telemetry/port/store.ts':
    "export type { span } from '../../../domain/span.ts'",
  'server/src/storage/telemetry/engine.ts': "import 'node:sqlite'\nexport const engine = 1",
  'server/src/conventions/decoded.ts': "export { span as decoded } from '../domain/span.ts'",
  'server/src/model-gateway/gateway.ts': "const client = await import('@ai-sdk/openai')",
  'server/src/evaluators/catalogue.ts':
    "import type { span } from '../domain/span.ts'\nexport const builtInEvaluators = []",
  'server/src/cost-estimate/count-tokens.ts': 'export const countTokens = 1',
  'server/src/documents/read-document.ts':
    "export { log as readDocument } from '../platform/log.ts'",
  'server/src/accounts/caller.ts':
    "export { stores as caller } from '../storage/accounts/stores.ts'",
  'server/src/http/bind.ts':
    "import 'fastify'\nimport { caller } from '../accounts/caller.ts'\nexport const bind = caller",
  'server/src/features/one/routes.ts':
    "import type { span } from '../../storage/telemetry/port/store.ts'\nexport { bind as one } from '../../http/bind.ts'",
  'server/src/features/two/routes.ts': "export { bind as two } from '../../http/bind.ts'",
  'server/src/app.ts': "export { one as app } from './features/one/routes.ts'",
  'server/test/app-under-test.ts': "export { app as underTest } from '../src/app.ts'",
  'web/ui/src/Button.tsx': "import 'react'\nexport const Button = () => <b>import</b>",
  'web/account/src/Form.tsx':
    "import { Button } from '../../ui/src/Button.tsx'\nexport const Form = () => <Button />",
  'web/chat/src/Page.tsx':
    "import { Form } from '../../account/src/Form.tsx'\nexport const Page = () => <Form />",
  'web/tracing/src/pages/one/Page.tsx':
    "import { Button } from '../../../../ui/src/Button.tsx'\nexport const Page = () => <Button>1</Button>",
  'web/tracing/src/Page.tsx':
    "import { all } from '@assay/contract/all.ts'\nimport { Button } from '../../ui/src/Button.tsx'\nexport const Page = () => <Button>{all}</Button>",
  'e2e/start.ts': 'export const start = 1',
  'bench/run.ts': 'export const run = 1',
  'tools/generate.ts': 'export const generate = 1',
}

const packages = ['zod', 'kysely', 'fastify', 'react', 'pg', 'left', '@ai-sdk/openai']

/** Files that break a rule each; every rule has one at least. */
const planted: readonly (readonly [rule: string, file: string, text: string])[] = [
  [
    'direction-of-contract-src',
    'contract/src/planted.ts',
    "import type { log } from '../../server/src/platform/log.ts'",
  ],
  [
    'direction-of-server-src-domain',
    'server/src/domain/planted.ts',
    "import { log } from '../platform/log.ts'",
  ],
  [
    'direction-of-server-src-platform',
    'server/src/platform/planted.ts',
    "import type { span } from '../domain/span.ts'",
  ],
  [
    'direction-of-server-src-probe',
    'server/src/probe/planted.ts',
    "import type { span } from '../storage/telemetry/port/store.ts'",
  ],
  [
    'direction-of-server-src-storage',
    'server/src/storage/planted.ts',
    "export { caller } from '../accounts/caller.ts'",
  ],
  [
    'direction-of-server-src-conventions',
    'server/src/conventions/planted.ts',
    "import { log } from '../platform/log.ts'",
  ],
  [
    'direction-of-server-src-accounts',
    'server/src/accounts/planted.ts',
    "import type { span } from '../storage/telemetry/port/store.ts'",
  ],
  [
    'direction-of-server-src-http',
    'server/src/http/planted.ts',
    "const late = await import('../features/one/routes.ts')",
  ],
  [
    'direction-of-server-src-models',
    'server/src/models/planted.ts',
    "import { engine } from '../storage/telemetry/engine.ts'",
  ],
  [
    'direction-of-server-src-detection',
    'server/src/detection/planted.ts',
    "import { caller } from '../accounts/caller.ts'",
  ],
  [
    'direction-of-server-src-evaluators',
    'server/src/evaluators/planted.ts',
    "import { caller } from '../accounts/caller.ts'",
  ],
  [
    'direction-of-server-src-cost-estimate',
    'server/src/cost-estimate/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-scenarios',
    'server/src/scenarios/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-simulation',
    'server/src/simulation/planted.ts',
    "import { caller } from '../accounts/caller.ts'",
  ],
  [
    'direction-of-server-src-documents',
    'server/src/documents/planted.ts',
    "import type { span } from '../domain/span.ts'",
  ],
  [
    'direction-of-server-src-blueprint',
    'server/src/blueprint/planted.ts',
    "import { log } from '../platform/log.ts'",
  ],
  [
    'direction-of-server-src-key-directory',
    'server/src/key-directory/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-sealed-history',
    'server/src/sealed-history/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-service-traces',
    'server/src/service-traces/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-chat-content',
    'server/src/chat-content/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-chat-replies',
    'server/src/chat-replies/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-model-gateway',
    'server/src/model-gateway/planted.ts',
    "import type { span } from '../storage/telemetry/port/store.ts'",
  ],
  [
    'direction-of-server-src-ingest-workers',
    'server/src/ingest-workers/planted.ts',
    "import type { span } from '../domain/span.ts'",
  ],
  [
    'direction-of-server-src-jobs',
    'server/src/jobs/planted.ts',
    "import { route } from '../features/one/routes.ts'",
  ],
  [
    'direction-of-server-src-features',
    'server/src/features/one/planted.ts',
    "import { engine } from '../../storage/telemetry/engine.ts'",
  ],
  [
    'direction-of-web-ui',
    'web/ui/src/Planted.tsx',
    "import { all } from '@assay/contract/all.ts'\nexport const Planted = () => <i>{all}</i>",
  ],
  [
    'direction-of-web-tracing',
    'web/tracing/src/Planted.tsx',
    "import type { span } from '../../../server/src/domain/span.ts'\nexport const Planted = () => <i />",
  ],
  [
    'direction-of-web-account',
    'web/account/src/Planted.tsx',
    "import { Page } from '../../tracing/src/Page.tsx'\nexport const Planted = () => <Page />",
  ],
  [
    'direction-of-web-chat',
    'web/chat/src/Planted.tsx',
    "import { Page } from '../../tracing/src/Page.tsx'\nexport const Planted = () => <Page />",
  ],
  [
    'no-cycle',
    'server/src/platform/planted.ts',
    "import type { planted } from './planted.ts'\nexport const planted = 1",
  ],
  [
    'features-stand-alone',
    'server/src/features/one/planted.ts',
    "import { two } from '../two/routes.ts'",
  ],
  [
    'pages-stand-alone',
    'web/tracing/src/pages/two/Planted.tsx',
    "import { Page } from '../one/Page.tsx'\nexport const Planted = Page",
  ],
  [
    'pages-are-the-top',
    'web/tracing/src/parts/Planted.tsx',
    "import { Page } from '../pages/one/Page.tsx'\nexport const Planted = Page",
  ],
  ['app-is-the-top', 'server/src/http/planted.ts', "import type { app } from '../app.ts'"],
  [
    'drivers-only-in-storage',
    'server/src/features/one/planted.ts',
    "import type { Kysely } from 'kysely'",
  ],
  ['drivers-only-in-storage', 'server/src/http/planted.ts', "import 'node:sqlite'"],
  ['drivers-only-in-storage', 'server/src/app-planted.ts', "import { Client } from 'pg'"],
  [
    'fastify-only-in-http',
    'server/src/features/one/planted.ts',
    "import type { FastifyInstance } from 'fastify'",
  ],
  [
    'model-clients-only-in-the-gateway',
    'server/src/features/one/planted.ts',
    "const client = await import('@ai-sdk/openai')",
  ],
  [
    'model-clients-are-loaded-late',
    'server/src/model-gateway/planted.ts',
    "import { createOpenAI } from '@ai-sdk/openai'",
  ],
  [
    'evaluators-in-their-process',
    'server/src/features/evaluation/planted.ts',
    "import { builtInEvaluators } from '../../evaluators/catalogue.ts'",
  ],
  [
    'tokenizer-in-its-process',
    'server/src/features/one/planted.ts',
    "import { countTokens } from '../../cost-estimate/count-tokens.ts'",
  ],
  [
    'documents-in-their-process',
    'server/src/features/one/planted.ts',
    "import { readDocument } from '../../documents/read-document.ts'",
  ],
  ['contract-needs-zod-only', 'contract/src/planted.ts', "import 'left'"],
  ['domain-is-pure', 'server/src/domain/planted.ts', "import { join } from 'node:path'"],
  [
    'no-tests-in-code',
    'server/src/http/planted.ts',
    "import { underTest } from '../../test/app-under-test.ts'",
  ],
  ['nothing-unresolved', 'server/src/http/planted.ts', "import { bind } from './missing.ts'"],
]

const roots: string[] = []

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

function check(files: Files): { readonly status: number | null; readonly output: string } {
  const root = mkdtempSync(join(tmpdir(), 'assay-imports-'))
  roots.push(root)
  const stubs = packages.flatMap((name) => [
    [`node_modules/${name}/package.json`, `{ "name": "${name}", "main": "main.js" }`] as const,
    [`node_modules/${name}/main.js`, ''] as const,
  ])
  const dependencies = Object.fromEntries(packages.map((name) => [name, '1.0.0']))
  const manifest = ['package.json', JSON.stringify({ type: 'module', dependencies })] as const
  for (const [path, text] of [...Object.entries(files), ...stubs, manifest]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, 'node_modules/@assay'))
  symlinkSync(join(root, 'contract'), join(root, 'node_modules/@assay/contract'))
  const script = join(import.meta.dirname, 'check-imports.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

describe('the directions of imports', () => {
  test('are kept by a tree that keeps them', () => {
    expect(check(clean)).toEqual({ status: 0, output: '' })
  })

  test('have a planted violation for every rule', () => {
    const names = planted.map(([name]) => name)
    expect(new Set(names)).toEqual(new Set(rules.map(({ name }) => name)))
  })

  test('are each reported when broken, with the file and what to do instead', () => {
    // One tree with all of them: reading the sources takes longer than checking the rules.
    const files = planted.map(
      ([, path, text], at) =>
        [
          path.replace('lanted', `lanted${at}`),
          text.replaceAll('planted', `planted${at}`),
        ] as const,
    )
    const { status, output } = check({ ...clean, ...Object.fromEntries(files) })
    expect(status).toBe(1)
    planted.forEach(([name], at) => {
      const { comment = '?' } = rules.find((rule) => rule.name === name) ?? {}
      const [path] = files[at] ?? ['']
      const line = `${RegExp.escape(path)} -> \\S+\n {2}${name}: ${RegExp.escape(comment)}`
      expect(output).toMatch(new RegExp(`^${line}$`, 'm'))
    })
  })

  test('must be stated for a new folder of the server', () => {
    const { status, output } = check({
      ...clean,
      'server/src/novel/thing.ts': 'export const a = 1',
    })
    expect(status).toBe(1)
    expect(output).toContain('server/src/novel')
  })
})
